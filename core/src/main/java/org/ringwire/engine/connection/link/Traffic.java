package org.ringwire.engine.connection.link;

/**
 * What links add to the counters of their node.
 *
 * @param messagesSent messages of which at least a byte was written
 * @param bytesSent bytes written, control included
 * @param bytesReceived bytes that arrived, control included
 * @param stalls times that a sender had to wait
 * @param blockedNs how long they have waited
 */
public record Traffic(
    long messagesSent, long bytesSent, long bytesReceived, long stalls, long blockedNs) {

  /** Of no link. */
  public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

  /** Both together. */
  public Traffic plus(Traffic other) {
    return new Traffic(
        messagesSent + other.messagesSent,
        bytesSent + other.bytesSent,
        bytesReceived + other.bytesReceived,
        stalls + other.stalls,
        blockedNs + other.blockedNs);
  }
}
