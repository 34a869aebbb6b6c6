package org.ringwire.engine.connection;

/** When a connection was used, as far as samples can tell. Timer of the node only. */
public final class Usage {

  private static final long ASK_NS = 100_000_000;

  private final long madeNs = System.nanoTime();
  private volatile long position; // written by the timer
  private long lastUseNs = madeNs;
  private long askedNs;
  private long lastPing;

  /** Compares with what was sent and received at the last sample. */
  public void sample(Connection connection, long nowNs) {
    long now = positionOf(connection);
    if (now != position) {
      position = now;
      lastUseNs = nowNs;
    }
  }

  /** Time of the sample that saw the last use, as {@link System#nanoTime}. */
  long lastUseNs() {
    return lastUseNs;
  }

  /** For tests: whether a sample has seen all that it was used for. */
  boolean isSampled(Connection connection) {
    return position > 0 && position == positionOf(connection);
  }

  /** Whether it was used since it was made, or had long enough to be. */
  boolean mayGo(long nowNs, long graceNs) {
    return position > 0 || nowNs - madeNs > graceNs;
  }

  /**
   * Asks the peer what it has processed, unless that was done just now: a PING is answered with
   * credit, too, which would be told much later else.
   *
   * @return whether an answer may come soon
   */
  boolean ask(PeerSession data, long nowNs) {
    boolean answered = lastPing == 0 || data.pulse().hasAnswered(lastPing);
    boolean recent = lastPing != 0 && nowNs - askedNs < ASK_NS;
    if (answered && !recent) {
      lastPing = data.control().ping();
      askedNs = nowNs;
      return true;
    }
    return !answered && recent;
  }

  /** Whether a message is with a handler of this node, or may be with one of the peer's. */
  static boolean isGoingOn(Connection connection) {
    PeerSession data = connection.dataSession();
    PeerSession in = connection.inbound();
    return (in != null && in.inbound().hasUnprocessed())
        || (data != null && !data.data().isProcessed());
  }

  /** Whether not each side has opened a link: then one may not know where the other is. */
  static boolean isOnOneLink(Connection connection) {
    PeerSession out = connection.outbound();
    PeerSession in = connection.inbound();
    return out == null || in == null || out == in;
  }

  /** Grows with every message, in either direction. */
  private static long positionOf(Connection connection) {
    PeerSession data = connection.dataSession();
    PeerSession in = connection.inbound();
    return (data == null ? 0 : data.data().claimedBytes())
        + (in == null ? 0 : in.receiveWindow().processedMessages());
  }
}
