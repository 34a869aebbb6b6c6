package org.ringwire.transport.selector;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.WaitingPlace;

/**
 * A link that has brought input to an I/O thread on a single core, and may bring more if the thread
 * offers the core once before it sleeps: the peer may share the core, or the packets of its answer
 * may be there by then. If they are, the thread goes on like that; if not, or if another link
 * brings input meanwhile, the selector is asked again. For the thread of a {@link SelectorLoop}
 * only.
 */
final class AwaitedLink {

  private final WaitingPlace place;
  private final Consumer<SelectorEntry> reading;
  private @Nullable SelectorEntry link;
  private boolean found;
  private boolean others;

  /**
   * No link for now.
   *
   * @param reading reads a link once; its input comes back to {@link #brought}
   */
  AwaitedLink(WaitingPlace place, Consumer<SelectorEntry> reading) {
    this.place = place;
    this.reading = reading;
  }

  /**
   * A link has brought input.
   *
   * @return whether the core will be offered for its sake, until {@link SelectorEntry#deactivated}
   */
  boolean brought(SelectorEntry bringing, long nowNs) {
    if (link == null && place.mayOffer(nowNs)) {
      link = bringing;
      found = false;
      others = false;
      return true;
    }
    boolean same = bringing.equals(link); // entries are equal to nothing else
    found |= same;
    others |= !same;
    return same;
  }

  /** Whether {@link #look} has something to do. */
  boolean isDue() {
    return link != null;
  }

  /** Offers the core, and looks at the link afterwards. */
  void look() {
    SelectorEntry current = link;
    if (current == null) {
      return;
    }
    found = false;
    boolean goesOn = true;
    for (int i = 0; goesOn && !found && !others && current.isActive(); i++) {
      goesOn = place.offer(i);
      reading.accept(current);
    }
    place.offered(found);
    if (!found || others || !current.isActive() || !place.mayOffer(System.nanoTime())) {
      link = null;
      SelectorLoop.deactivate(current);
    }
  }
}
