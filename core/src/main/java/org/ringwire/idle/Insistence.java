package org.ringwire.idle;

import java.util.concurrent.TimeUnit;

/**
 * What nobody else would do, and for which there may be no heap: it is tried again, for some
 * seconds. Whatever is done so may be begun more than once. Stateless.
 */
public final class Insistence {

  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int MOST_PAUSES = 10_000;

  private Insistence() {}

  /**
   * Does a step, again after a pause as long as it ends with an {@link OutOfMemoryError}.
   *
   * @param blocker shown by thread dumps
   * @throws OutOfMemoryError if it does after some seconds
   */
  public static void on(Object blocker, Runnable step) {
    for (int i = 0; i < MOST_PAUSES; i++) {
      try {
        step.run();
        return;
      } catch (OutOfMemoryError e) {
        Pause.blocked(blocker, PAUSE_NS);
      }
    }
    step.run();
  }
}
