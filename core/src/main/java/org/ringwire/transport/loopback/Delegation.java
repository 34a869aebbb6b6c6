package org.ringwire.transport.loopback;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Work that other threads leave to the loop, that of one link at a time: who finds the place taken
 * by another link does its work itself. Takes no heap, so that it cannot fail for want of it.
 *
 * <p>Any thread {@linkplain #offer offers}, the loop {@linkplain #run runs} and {@linkplain #end
 * ends}. All accesses of the place are volatile, those that change it compare-and-set.
 *
 * <p><em>Nothing is left lying.</em> Work keeps its place while it is done. Who offers it meanwhile
 * puts its twin there, so the loop cannot clear the place, and does it once more. The one who
 * offers changes the place and then reads {@code ended}, the loop writes {@code ended} and then
 * reads the place a last time: one of them sees the other. If both do, the compare-and-set by which
 * each takes the work away lets one of them have it.
 */
final class Delegation {

  /** What a link has done by the loop; it has one of these. */
  static final class Work {

    private final Runnable task;
    private final Work twin;

    Work(Runnable task) {
      this.task = task;
      twin = new Work(this);
    }

    private Work(Work twin) {
      task = twin.task;
      this.twin = twin;
    }

    private boolean isOf(@Nullable Work other) {
      return this == other || twin == other;
    }
  }

  private final AtomicReference<@Nullable Work> place = new AtomicReference<>();
  private @Nullable Work running; // the loop only
  private volatile boolean ended;

  /**
   * Leaves work to the loop, which has to be woken.
   *
   * @return false if the caller has to do it itself: that of another link lies there or is being
   *     done, or the loop has ended
   */
  boolean offer(Work work) {
    Work lying;
    do {
      lying = place.get();
      if (lying != null && !work.isOf(lying)) {
        return false;
      }
    } while (!place.compareAndSet(lying, lying == null ? work : lying.twin));
    return !ended || !takenBack(work); // pairs with end()
  }

  private boolean takenBack(Work work) {
    Work lying = place.get();
    return work.isOf(lying) && place.compareAndSet(lying, null);
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
    Work work = place.get();
    if (work == null) {
      return false;
    }
    running = work;
    try {
      work.task.run();
    } finally {
      if (running != null) {
        running = null;
        boolean _ = place.compareAndSet(work, null); // unless it was offered again
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
    for (Work last = place.get(); last != null; last = place.get()) {
      if (place.compareAndSet(last, null)) {
        last.task.run();
      }
    }
  }
}
