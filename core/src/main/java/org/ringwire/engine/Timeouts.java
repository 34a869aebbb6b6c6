package org.ringwire.engine;

import java.time.Duration;

/** Timeouts that users give, of whatever length. */
final class Timeouts {

  /** Long enough for all, and added to {@link System#nanoTime} it leaves room for as much again. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Timeouts() {}

  /** In nanoseconds; none for a negative one, and a hundred years for one that is longer. */
  static long nanos(Duration timeout) {
    Duration bounded = timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST;
    return bounded.isNegative() ? 0 : bounded.toNanos();
  }
}
