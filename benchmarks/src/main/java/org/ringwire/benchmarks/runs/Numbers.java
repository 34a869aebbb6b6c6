package org.ringwire.benchmarks.runs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Three digits are more than a shared machine can repeat. */
public final class Numbers {
  private Numbers() {}

  public static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1000) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    double size = Math.abs(value);
    int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** Median, and in brackets smallest and largest. */
  public static String withSpread(List<Double> values) {
    if (values.size() == 1) {
      return text(values.getFirst());
    }
    return "%s (%s to %s)"
        .formatted(
            text(median(values)),
            text(values.stream().mapToDouble(Double::doubleValue).min().orElseThrow()),
            text(values.stream().mapToDouble(Double::doubleValue).max().orElseThrow()));
  }

  /** The middle one, or the mean of the two in the middle. */
  public static double median(List<Double> values) {
    return median(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** The same, of values that stay as they are. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
