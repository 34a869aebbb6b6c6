package org.ringwire.infiniband.datagram;

/**
 * How many segments may be in flight: slow start, additive increase, multiplicative decrease (RFC
 * 5681, counted in segments). The receive requests of a peer are what is scarce, and what overflows
 * is lost: so loss says that there are too many senders or that the peer is slow.
 */
final class Congestion {

  /** At first. */
  static final int FIRST = 16;

  /** Always: so that what is lost is found by what comes behind it. */
  static final int LEAST = 4;

  private int window = FIRST;
  private int threshold = SendWindow.MOST;
  private int credit;

  /** Segments that may be in flight. */
  int window() {
    return window;
  }

  /** So many have arrived while the window was in use. */
  void delivered(int count) {
    if (window < threshold) {
      window = Math.min(window + count, SendWindow.MOST);
      return;
    }
    credit += count;
    if (credit >= window) {
      credit -= window;
      window = Math.min(window + 1, SendWindow.MOST);
    }
  }

  /** Something is lost; once for all that was in flight then. */
  void reduce() {
    threshold = Math.max(window / 2, LEAST);
    window = threshold;
    credit = 0;
  }

  /** Nothing comes back. */
  void collapse() {
    threshold = Math.max(window / 2, LEAST);
    window = LEAST;
    credit = 0;
  }
}
