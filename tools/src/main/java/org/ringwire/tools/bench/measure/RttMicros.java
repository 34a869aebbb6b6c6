package org.ringwire.tools.bench.measure;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Round trip times in microseconds. */
public record RttMicros(double mean, double p50, double p90, double p99, double p999, double max) {

  private static final double NS_PER_US = 1e3;

  /** Of a histogram of nanoseconds. */
  public static RttMicros of(Histogram ns) {
    return new RttMicros(
        ns.getMean() / NS_PER_US,
        ns.getValueAtPercentile(50) / NS_PER_US,
        ns.getValueAtPercentile(90) / NS_PER_US,
        ns.getValueAtPercentile(99) / NS_PER_US,
        ns.getValueAtPercentile(99.9) / NS_PER_US,
        ns.getMaxValue() / NS_PER_US);
  }

  /** One line. */
  public String forPeople() {
    return String.format(
        Locale.ROOT,
        "mean %.1f, p50 %.1f, p90 %.1f, p99 %.1f, p99.9 %.1f, max %.1f",
        mean,
        p50,
        p90,
        p99,
        p999,
        max);
  }

  /** A histogram of nanoseconds up to an hour, three digits, the largest exactly. */
  public static Histogram newHistogram() {
    return new RoundTripHistogram(3_600_000_000_000L);
  }
}
