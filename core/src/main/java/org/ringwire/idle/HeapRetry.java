package org.ringwire.idle;

import java.util.concurrent.TimeUnit;

/**
 * What nobody else would do, and for which there may be no heap: it is tried again, within a time.
 * Whatever is done so may be begun more than once. Stateless.
 */
public final class HeapRetry {

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private HeapRetry() {}

  /** As {@link #runUntil}, for ten seconds. */
  public static void run(Object blocker, Runnable step) {
    runUntil(System.nanoTime() + PATIENCE_NS, blocker, step);
  }

  /**
   * Does a step, again after a pause as long as it ends with an {@link OutOfMemoryError}.
   *
   * @param endNs as {@link System#nanoTime}; what begins before may end after it
   * @param blocker shown by thread dumps
   * @throws OutOfMemoryError if the step still does at the end
   */
  public static void runUntil(long endNs, Object blocker, Runnable step) {
    while (true) {
      try {
        step.run();
        return;
      } catch (OutOfMemoryError e) {
        if (System.nanoTime() - endNs >= 0) {
          throw e;
        }
        Pause.starved(blocker, PAUSE_NS);
      }
    }
  }
}
