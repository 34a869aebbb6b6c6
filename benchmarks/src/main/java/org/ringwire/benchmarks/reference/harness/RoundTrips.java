package org.ringwire.benchmarks.reference.harness;

import org.HdrHistogram.Histogram;

/** Makes round trips one after the other, on as many threads as it was made for. */
public interface RoundTrips {
  /** One run, for which everything is there. */
  interface Run {
    /** Begins at once and returns when the last reply has come. */
    void run(double seconds) throws Exception;

    /** The nanoseconds of every round trip, after the run. */
    Histogram nanos();
  }

  /**
   * Makes what a run needs, so that making it is no part of what is measured: threads, which wait,
   * and where they note their times.
   *
   * @param pauseNs of silence before each round trip, not counted
   */
  Run prepare(long pauseNs) throws InterruptedException;

  /** The receiver's counts so far. */
  ReceiverReport barrier() throws Exception;
}
