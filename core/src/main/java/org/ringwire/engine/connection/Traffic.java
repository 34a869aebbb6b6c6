package org.ringwire.engine.connection;

import org.jspecify.annotations.Nullable;
import org.ringwire.engine.connection.link.SessionTotals;

/**
 * What connections add to the counters of their node.
 *
 * @param messagesSent messages of which at least a byte was written
 * @param bytesSent bytes written, control included
 * @param bytesReceived bytes that arrived, control included
 * @param stalls times that a sender had to wait
 * @param blockedNs how long they have waited
 */
public record Traffic(
    long messagesSent, long bytesSent, long bytesReceived, long stalls, long blockedNs) {

  static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

  /** Of a connection; any thread, until its memory is freed. */
  public static Traffic of(Connection connection) {
    return of(connection.outbound(), connection.inbound(), connection.dataSession());
  }

  /** The same by its links, which may be one and the same, and the one that has its data. */
  static Traffic of(
      @Nullable PeerSession out, @Nullable PeerSession in, @Nullable PeerSession data) {
    SessionTotals totals = data == null ? SessionTotals.NONE : data.data().current();
    long sent = out == null ? 0 : out.data().sentBytes();
    long received = out == null ? 0 : out.receivedBytes();
    if (in != null && in != out) {
      sent += in.data().sentBytes();
      received += in.receivedBytes();
    }
    return new Traffic(
        totals.started(), sent, received, totals.stalls().stalls(), totals.stalls().blockedNs());
  }

  Traffic plus(Traffic other) {
    return new Traffic(
        messagesSent + other.messagesSent,
        bytesSent + other.bytesSent,
        bytesReceived + other.bytesReceived,
        stalls + other.stalls,
        blockedNs + other.blockedNs);
  }
}
