package org.ringwire.engine;

import java.time.Duration;
import java.util.Objects;

/** Timeouts that users give, of whatever length. */
final class Timeouts {

  /** Long enough for all, and added to {@link System#nanoTime} it leaves room for as much again. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Timeouts() {}

  /**
   * Before anything is done with it.
   *
   * @throws IllegalArgumentException if it is negative
   */
  static void check(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout must not be null");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative: timeout=" + timeout);
    }
  }

  /** In nanoseconds; a hundred years for one that is longer. Checks it, too. */
  static long nanos(Duration timeout) {
    check(timeout);
    return (timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST).toNanos();
  }
}
