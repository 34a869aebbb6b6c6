package org.ringwire.infiniband.datagram;

import java.util.concurrent.TimeUnit;

/**
 * How long an answer takes, in the manner of RFC 6298. Every datagram carries the time of its
 * sending, which the acknowledgement repeats: so a sample is never taken from the wrong one of two
 * transmissions (Karn), and each acknowledgement gives one.
 */
final class RoundTrip {

  private static final long FIRST_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long SHORTEST_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long GRANULARITY_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_SAMPLE_US = TimeUnit.SECONDS.toMicros(10);

  private long smoothedNs;
  private long variationNs;
  private long latestNs;
  private long shortestNs = Long.MAX_VALUE;

  /** The time that a datagram carries, never 0: which is no time. */
  static int stampUs(long nowNs) {
    int us = (int) TimeUnit.NANOSECONDS.toMicros(nowNs);
    return us == 0 ? 1 : us;
  }

  /**
   * An acknowledgement has come.
   *
   * @param echoUs the time that it repeats, whatever the peer says; 0 for none
   */
  void sample(int echoUs, long nowNs) {
    long us = Integer.toUnsignedLong(stampUs(nowNs) - echoUs);
    if (echoUs == 0 || us > LONGEST_SAMPLE_US) {
      return;
    }
    latestNs = Math.max(1, TimeUnit.MICROSECONDS.toNanos(us));
    shortestNs = Math.min(shortestNs, latestNs);
    if (smoothedNs == 0) {
      smoothedNs = latestNs;
      variationNs = latestNs / 2;
    } else {
      variationNs += (Math.abs(smoothedNs - latestNs) - variationNs) / 4;
      smoothedNs += (latestNs - smoothedNs) / 8;
    }
  }

  /** After which time without progress something is sent again. */
  long timeoutNs(int timeoutsBefore) {
    long timeoutNs = FIRST_TIMEOUT_NS;
    if (smoothedNs > 0) {
      timeoutNs =
          smoothedNs + Math.max(GRANULARITY_NS, 4 * variationNs) + Acknowledgements.DELAY_NS;
    }
    timeoutNs = Math.clamp(timeoutNs, SHORTEST_TIMEOUT_NS, LONGEST_TIMEOUT_NS);
    return Math.min(timeoutNs << Math.min(timeoutsBefore, 10), LONGEST_TIMEOUT_NS);
  }

  /** After which time something is lost if a later transmission has arrived (RFC 9002, 6.1.2). */
  long lossDelayNs() {
    return Math.max(GRANULARITY_NS, 9 * Math.max(smoothedNs, latestNs) / 8);
  }

  /** The shortest that was seen. */
  long shortestNs() {
    return shortestNs;
  }
}
