package org.ringwire.engine.services;

import java.util.concurrent.atomic.AtomicBoolean;
import org.ringwire.idle.HeapRetry;

/**
 * What the timer of a node does once after a while, however many ask for it: as long as it is due
 * it is not scheduled again. Any thread may ask.
 *
 * <p><b>Nobody is forgotten.</b> {@code due} is taken back before the action looks at anything. So
 * who finds it taken has written before that what the action is to see; who does not schedules the
 * action anew. It is taken back also if the action could not be scheduled, for want of heap: else
 * all would rely for ever on what never comes. Both sides use volatile mode, as callers must for
 * what the action looks at.
 */
public final class SingleTask {

  /** Runs something on the timer's thread after a while. */
  @FunctionalInterface
  public interface Timer {
    /** Any thread. */
    void later(Runnable action, long delayNs);
  }

  private final Timer timer;
  private final Runnable action;
  private final Runnable task = this::run; // made before, as there may be no heap for it
  private final Runnable again = this::askAgain;
  private final AtomicBoolean due = new AtomicBoolean();
  private long againNs; // the timer's

  /** Not due yet. */
  public SingleTask(Timer timer, Runnable action) {
    this.timer = timer;
    this.action = action;
  }

  /**
   * Sees to it that the action is run; any thread.
   *
   * @param delayNs nanoseconds from now, unless it is due already
   * @throws OutOfMemoryError if there is no heap for that: then who comes next tries it again
   */
  public void later(long delayNs) {
    if (due.get() || !due.compareAndSet(false, true)) {
      return;
    }
    boolean scheduled = false;
    try {
      timer.later(task, delayNs);
      scheduled = true;
    } finally {
      if (!scheduled) {
        due.set(false);
      }
    }
  }

  /**
   * As {@link #later}, by the action itself, after which nobody else may come: tries for longer.
   */
  public void again(long delayNs) {
    againNs = delayNs;
    HeapRetry.run(this, again);
  }

  private void askAgain() {
    later(againNs);
  }

  private void run() {
    due.set(false); // before the action looks; pairs with the read in later
    action.run();
  }
}
