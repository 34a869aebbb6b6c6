package org.ringwire.transport.tls;

import javax.net.ssl.SSLException;

/**
 * Bounds what a peer may send before its link is open. The engine ignores plaintext alerts of level
 * warning any number of times, even before the first message: so a stranger without certificate
 * would keep a worker busy, and memory taken, for as long as a handshake may last. Used by the one
 * who reads the link.
 */
final class HandshakeRecords {

  /** Of one message of a handshake, as the JDK bounds it; its certificates, for example. */
  private static final long LONGEST_MESSAGE =
      Math.max(32 << 10, Integer.getInteger("jdk.tls.maxHandshakeMessageSize", 32 << 10));

  /** Bytes of all records of a handshake. */
  private static final long MOST = 4 * LONGEST_MESSAGE;

  private static final int HEADER = 5;
  private static final int ALERT = 21;
  private static final int WARNING = 1;
  private static final int CLOSE_NOTIFY = 0;
  private static final int USER_CANCELED = 90;

  private long sum;

  /**
   * A record has come, and the link is not open.
   *
   * @throws SSLException if it is an alert that TLS 1.3 does not have (RFC 8446, section 6), or
   *     there were too many bytes
   */
  void came(byte[] record, int length) throws SSLException {
    sum += length;
    if (sum > MOST) {
      throw new SSLException("the peer sends more than a handshake: bytes=" + sum);
    }
    if (record[0] == ALERT && length == HEADER + 2 && record[HEADER] == WARNING) {
      int description = record[HEADER + 1];
      if (description != CLOSE_NOTIFY && description != USER_CANCELED) {
        throw new SSLException(
            "the peer warns before the handshake is over, which has no meaning: description="
                + description);
      }
    }
  }
}
