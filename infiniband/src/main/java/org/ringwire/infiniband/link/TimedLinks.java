package org.ringwire.infiniband.link;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ringwire.transport.support.TransportLog;

/**
 * The links of an engine that open or end, and so have a time limit. What happens to one drives its
 * end at once ({@link #proceed}); their limits are looked at now and then. Used by one thread.
 */
final class TimedLinks {

  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final TransportLog LOG = TransportLog.of(TimedLinks.class);

  private final List<LinkLife> links = new ArrayList<>();
  private long nextLookNs = System.nanoTime();

  /** None. */
  TimedLinks() {}

  /** Takes one in, if it is not there. */
  void add(LinkLife link) {
    boolean added = !link.end().watch(true);
    try {
      added |= !added && links.add(link);
    } finally {
      if (!added) { // no heap
        boolean _ = link.end().watch(false);
      }
    }
  }

  /** Whether no link opens or ends. */
  boolean isEmpty() {
    return links.isEmpty();
  }

  /** When to look again, in the time of {@link System#nanoTime}, unless there are none. */
  long nextLookNs() {
    return nextLookNs;
  }

  /** Looks at the limits, if it is time for that. */
  void look(long nowNs) {
    if (links.isEmpty() || nowNs - nextLookNs < 0) {
      return;
    }
    nextLookNs = nowNs + LOOK_NS;
    for (int i = links.size() - 1; i >= 0; i--) {
      LinkLife link = links.get(i);
      proceed(link, nowNs);
      if (link.end().isOver() || (link.isOpened() && !link.isClosing())) {
        boolean _ = link.end().watch(false);
        links.set(i, links.getLast());
        links.removeLast();
      }
    }
  }

  /** The end of a link goes as far as it can; at once, if that fails but for want of heap. */
  static void proceed(LinkLife link, long nowNs) {
    try {
      link.end().proceed(nowNs);
    } catch (OutOfMemoryError e) {
      throw e; // it goes on from there
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "cannot end a link in order: " + link.remote(), e);
      link.end().force();
    }
  }
}
