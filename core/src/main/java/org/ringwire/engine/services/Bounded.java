package org.ringwire.engine.services;

import java.util.function.BooleanSupplier;
import org.ringwire.idle.Pause;

/** Waits of the cold path, for conditions that nobody signals. */
public final class Bounded {

  private static final long POLL_NS = 200_000;

  private Bounded() {}

  /** Polls until the condition holds; false if the deadline passed first. */
  public static boolean await(BooleanSupplier condition, long deadlineNs) {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs >= 0) {
        return false;
      }
      Pause.blocked(condition, POLL_NS);
    }
    return true;
  }
}
