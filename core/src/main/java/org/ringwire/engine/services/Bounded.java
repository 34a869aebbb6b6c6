package org.ringwire.engine.services;

import java.util.function.BooleanSupplier;
import org.ringwire.idle.Pause;

/** Waits of the cold path, for conditions that nobody signals. */
public final class Bounded {

  private static final long POLL_NS = 200_000;

  private Bounded() {}

  /**
   * Polls until the condition holds; false if the deadline passed first. An interrupt ends nothing,
   * and is there again afterwards.
   */
  public static boolean await(BooleanSupplier condition, long deadlineNs) {
    boolean interrupted = false;
    try {
      while (!condition.getAsBoolean()) {
        if (System.nanoTime() - deadlineNs >= 0) {
          return false;
        }
        interrupted |= Thread.interrupted(); // with its status set no thread parks
        Pause.blocked(condition, POLL_NS);
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
