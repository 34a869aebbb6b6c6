package org.ringwire.infiniband.datagram;

import java.util.concurrent.TimeUnit;

/**
 * When the peer is told what has arrived: at once if something is missing or came twice, else at
 * the end of a batch in which it is {@value #BATCH} datagrams or more, or after a short time; data
 * that goes the other way meanwhile carries it. One thread at a time.
 */
final class Acknowledgements {

  /** For so long one datagram may wait for its acknowledgement. */
  static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int BATCH = 2;

  private int pending;
  private boolean urgent;
  private int echoUs;
  private long deadlineNs;

  /** A datagram with a number has arrived. */
  void arrived(int sentUs, boolean atOnce, long nowNs) {
    if (pending++ == 0) {
      echoUs = sentUs;
      deadlineNs = nowNs + DELAY_NS;
    }
    urgent |= atOnce;
  }

  /** The time of the first datagram that is not acknowledged, or 0. */
  int echoUs() {
    return pending == 0 ? 0 : echoUs;
  }

  /** Whether it is time. */
  boolean isDue(long nowNs) {
    return urgent || pending >= BATCH || (pending > 0 && nowNs - deadlineNs >= 0);
  }

  /** When it will be. */
  long deadlineNs() {
    return pending == 0 ? SendWindow.NEVER : deadlineNs;
  }

  /** Data has carried what there was, but for the bitmap. */
  void carried() {
    if (urgent) {
      echoUs = 0; // a time is repeated once
    } else {
      pending = 0;
    }
  }

  /** An acknowledgement has carried everything. */
  void sent() {
    pending = 0;
    urgent = false;
  }
}
