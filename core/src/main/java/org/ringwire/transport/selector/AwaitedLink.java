package org.ringwire.transport.selector;

import org.jspecify.annotations.Nullable;
import org.ringwire.idle.WaitingPlace;

/**
 * A link that has brought input to an I/O thread on a single core, and may bring more if the thread
 * offers the core a few times before it sleeps: the peer may share the core, or the packets of its
 * answer may be there by then. If they are, the thread goes on like that; if not, or if another
 * link brings input meanwhile, the selector is asked again. For the thread of a {@link
 * SelectorLoop} only.
 */
final class AwaitedLink {

  private final WaitingPlace place;
  private @Nullable SelectorEntry link;
  private boolean found;
  private boolean others;

  /** No link for now. */
  AwaitedLink(WaitingPlace place) {
    this.place = place;
  }

  /**
   * A link has brought input.
   *
   * @return whether the core will be offered for its sake, until {@link SelectorEntry#deactivated}
   */
  boolean brought(SelectorEntry bringing, long nowNs) {
    if (link == null && place.mayOffer(nowNs)) {
      link = bringing;
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

  /**
   * Offers the core, and looks at the link afterwards; its input comes back to {@link #brought}.
   */
  void look() {
    SelectorEntry current = link;
    if (current == null) {
      return;
    }
    found = false;
    boolean goesOn = true;
    for (int i = 0; goesOn && !found && !others && current.isActive(); i++) {
      goesOn = place.offer(i);
      EntryTurns.look(current, 1);
    }
    place.offered(found);
    if (!found || others || !current.isActive() || !place.mayOffer(System.nanoTime())) {
      link = null;
      EntryTurns.deactivate(current);
    }
  }
}
