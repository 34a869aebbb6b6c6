package org.ringwire.transport.loopback;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Work that other threads leave to the loop, one piece at a time: who finds the place taken does
 * its work itself. Takes no heap, so that it cannot fail for want of it.
 *
 * <p>Any thread {@linkplain #offer offers}, the loop {@linkplain #run runs} and {@linkplain #end
 * ends}. All accesses of the place are volatile, those that take it compare-and-set.
 *
 * <p><em>Nothing is left lying.</em> The one who offers writes the place and then reads {@code
 * ended}, the loop writes {@code ended} and then reads the place a last time: one of them sees the
 * other. If both do, the compare-and-set by which each takes the work away lets one of them have
 * it.
 */
final class Delegation {

  private final AtomicReference<@Nullable Runnable> place = new AtomicReference<>();
  private @Nullable Runnable running; // the loop only
  private volatile boolean ended;

  /**
   * Leaves work to the loop, which has to be woken.
   *
   * @return false if the caller has to do it itself: other work lies there or is being done, or the
   *     loop has ended
   */
  boolean offer(Runnable work) {
    if (place.get() != null || !place.compareAndSet(null, work)) {
      return false;
    }
    return !ended || !place.compareAndSet(work, null); // pairs with end()
  }

  /** Whether work lies there that is not being done; the loop only. */
  boolean isWaiting() {
    return running == null && place.get() != null;
  }

  /**
   * Does what lies there, if anything; the loop only. The place is free again afterwards.
   *
   * @return whether there was any
   */
  boolean run() {
    Runnable work = place.get();
    if (work == null) {
      return false;
    }
    running = work;
    try {
      work.run();
    } finally {
      if (running != null) {
        running = null;
        place.set(null);
      }
    }
    return true;
  }

  /**
   * By the work that is being done: it is to be done once more, after what else the loop has to do.
   *
   * @return false if what is being done was not left here
   */
  boolean again() {
    boolean wasRunning = running != null;
    running = null;
    return wasRunning;
  }

  /** The loop ends: does what was left until now, and from now on takes no more. */
  void end() {
    ended = true; // before the place is read: pairs with offer()
    Runnable last = place.get();
    if (last != null && place.compareAndSet(last, null)) {
      last.run();
    }
  }
}
