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
 * <p><em>Nothing is left lying.</em> Work keeps its place while it is done, marked as such by the
 * loop before it begins. Who offers it meanwhile takes the mark away, however often, so the loop
 * finds its mark gone, leaves the work there, and does it once more; only the loop ever sets a
 * mark, so one that it finds is of this turn. The one who offers changes the place and then reads
 * {@code ended}, the loop writes {@code ended} and then reads the place a last time: one of them
 * sees the other. If both do, the compare-and-set by which each takes the work away lets one of
 * them have it.
 */
final class Delegation {

  /** What a link has done by the loop; it has one of these. */
  static final class Work {

    private final Runnable task;
    private final Work waiting;
    private final Work marked;

    Work(Runnable task) {
      this.task = task;
      waiting = this;
      marked = new Work(this);
    }

    /** What lies in the place of other work while that is done. */
    private Work(Work waiting) {
      task = waiting.task;
      this.waiting = waiting;
      marked = this;
    }
  }

  private final AtomicReference<@Nullable Work> place = new AtomicReference<>();
  private @Nullable Work running; // its mark; the loop only
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
      if (lying != null && lying.waiting != work) {
        return false;
      }
    } while (!place.compareAndSet(lying, work)); // also if it lies there: the loop sees what it saw
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
    Work work = place.get();
    if (work == null || !place.compareAndSet(work, work.marked)) { // taken back: the loop has ended
      return false;
    }
    running = work.marked;
    try {
      work.task.run();
    } finally {
      Work mark = running;
      if (mark != null) {
        running = null;
        boolean _ = place.compareAndSet(mark, null); // unless it was offered again
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
    Work mark = running;
    if (mark == null) {
      return false;
    }
    running = null;
    boolean _ = place.compareAndSet(mark, mark.waiting); // or it was offered again
    return true;
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
