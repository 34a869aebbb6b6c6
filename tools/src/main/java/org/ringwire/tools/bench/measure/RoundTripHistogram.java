package org.ringwire.tools.bench.measure;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/**
 * Nanoseconds of round trips, three digits, but the largest exactly. A histogram says of a bucket
 * where it ends, so what it gives may be more than was ever measured; this one gives at most the
 * largest value. One thread records, as with any histogram.
 */
public final class RoundTripHistogram extends Histogram {
  private static final long serialVersionUID = 1L;

  private static final int DIGITS = 3;

  private long largest;

  /** Grows with its values. */
  public RoundTripHistogram() {
    super(DIGITS);
  }

  /** Never grows, so that it takes no memory while it is recorded to. */
  public RoundTripHistogram(long highestTrackable) {
    super(highestTrackable, DIGITS);
  }

  @Override
  public void recordValue(long value) {
    super.recordValue(value);
    largest = Math.max(largest, value);
  }

  @Override
  public void add(AbstractHistogram other) {
    super.add(other);
    largest = Math.max(largest, other.getMaxValue());
  }

  @Override
  public long getMaxValue() {
    return largest;
  }

  @Override
  public double getMean() {
    return Math.min(super.getMean(), (double) largest);
  }

  @Override
  public long getValueAtPercentile(double percentile) {
    return Math.min(super.getValueAtPercentile(percentile), largest);
  }
}
