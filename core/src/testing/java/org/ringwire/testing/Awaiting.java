package org.ringwire.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads or processes must bring about. */
public final class Awaiting {

  /** How long a test waits for what must happen: far longer than it takes on any machine. */
  public static final Duration PATIENCE = Duration.ofSeconds(100);

  private static final long POLL_NS = 1_000_000;

  private Awaiting() {}

  /** Waits until the condition holds; fails if it does not in time. */
  public static void await(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs >= 0) {
        throw new AssertionError("did not happen in time: " + what);
      }
      LockSupport.parkNanos(POLL_NS);
    }
  }
}
