package org.ringwire.benchmarks.reference.harness;

import org.HdrHistogram.Histogram;

/** Makes round trips one after the other, on as many threads as it was made for. */
public interface RoundTrips {
  /**
   * Runs for this long and returns the nanoseconds of every round trip.
   *
   * @param pauseNs of silence before each round trip, not counted
   */
  Histogram run(double seconds, long pauseNs) throws Exception;

  /** The receiver's counts so far. */
  ReceiverReport barrier() throws Exception;
}
