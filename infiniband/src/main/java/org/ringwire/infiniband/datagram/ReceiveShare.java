package org.ringwire.infiniband.datagram;

import java.util.concurrent.TimeUnit;

/**
 * How many datagrams each link may have on the way to this node, so that those that send at the
 * same time do not overflow the receive requests that all share. Who has sent lately is counted
 * anew every few milliseconds. One thread.
 */
public final class ReceiveShare {

  private static final long EPOCH_NS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int LEAST = 8;

  private final int requests;
  private long epoch = 1;
  private long epochNs;
  private int current;
  private int last;

  /** For so many receive requests. */
  public ReceiveShare(int requests) {
    this.requests = requests;
  }

  /** The time; before {@link #count}. */
  public void advance(long nowNs) {
    if (nowNs - epochNs >= EPOCH_NS) {
      epochNs = nowNs;
      epoch++;
      last = current;
      current = 0;
    }
  }

  /**
   * A link has sent something.
   *
   * @param seen what the last call for that link has returned, 0 at first
   */
  public long count(long seen) {
    if (seen != epoch) {
      current++;
    }
    return epoch;
  }

  /** Datagrams that each may have on the way. */
  public int window() {
    return Math.clamp(requests / Math.max(1, Math.max(current, last)), LEAST, SendWindow.MOST);
  }
}
