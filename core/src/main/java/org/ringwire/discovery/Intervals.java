package org.ringwire.discovery;

import java.time.Duration;
import java.util.Objects;

/** Checks intervals between loads. */
final class Intervals {
  private static final Duration MAX = Duration.ofDays(365);

  private Intervals() {}

  static void check(Duration interval) {
    Objects.requireNonNull(interval, "interval must not be null");
    if (!interval.isPositive() || interval.compareTo(MAX) > 0) {
      throw new IllegalArgumentException(
          "interval must be more than 0 and at most a year: interval=" + interval);
    }
  }
}
