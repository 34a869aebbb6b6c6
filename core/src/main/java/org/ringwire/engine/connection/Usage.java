package org.ringwire.engine.connection;

/** When a connection was used, as far as samples can tell. Timer of the node only. */
public final class Usage {

  private final long madeNs = System.nanoTime();
  private long position;
  private long lastUseNs = madeNs;

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

  /** Whether it was used since it was made, or had long enough to be. */
  boolean mayGo(long nowNs, long graceNs) {
    return position > 0 || nowNs - madeNs > graceNs;
  }

  /** Grows with every message, in either direction. */
  private static long positionOf(Connection connection) {
    PeerSession data = connection.dataSession();
    PeerSession in = connection.inbound();
    return (data == null ? 0 : data.data().claimedBytes())
        + (in == null ? 0 : in.receiveWindow().processedMessages());
  }
}
