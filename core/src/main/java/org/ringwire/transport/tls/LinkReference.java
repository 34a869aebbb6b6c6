package org.ringwire.transport.tls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLKeyException;
import org.jspecify.annotations.Nullable;

/**
 * Names a link at its two ends and nowhere else: bytes that both have derived from the secrets of
 * their handshake (RFC 8446, section 7.5). Who opens a link back says with it which link that
 * belongs to, in a greeting before the first record; so nobody but the other end of a link can make
 * the one who has opened it be the client on a link that it accepts. The greeting is not encrypted:
 * it is good once, so that who sees it on its way has no use of it later.
 */
record LinkReference(long first, long second) {

  /** Bytes of a greeting: magic and reference. */
  static final int GREETING_LENGTH = 24;

  /** "RWBACK", 0, and the version of the greeting. */
  private static final byte[] MAGIC = "RWBACK\0\1".getBytes(StandardCharsets.US_ASCII);

  private static final String LABEL = "EXPERIMENTAL ringwire link";
  private static final byte[] NO_CONTEXT = {};

  /** That of a link whose handshake is over; null if the peer, or the JDK, does not know them. */
  static @Nullable LinkReference of(SSLEngine engine) {
    if (!TlsContexts.PROTOCOL.equals(engine.getApplicationProtocol())
        || !(engine.getSession() instanceof ExtendedSSLSession session)) {
      return null;
    }
    try {
      byte[] bytes =
          session.exportKeyingMaterialData(LABEL, NO_CONTEXT, GREETING_LENGTH - MAGIC.length);
      return read(ByteBuffer.wrap(bytes));
    } catch (SSLKeyException | UnsupportedOperationException | IllegalStateException e) {
      return null; // another provider: links back begin like all others
    }
  }

  private static LinkReference read(ByteBuffer bytes) {
    return new LinkReference(bytes.getLong(), bytes.getLong());
  }

  /** Whether these are the first bytes of a greeting, as far as they go. */
  static boolean mayBeGreeting(byte[] bytes) {
    int length = Math.min(bytes.length, MAGIC.length);
    return Arrays.equals(bytes, 0, length, MAGIC, 0, length);
  }

  /** What a greeting names; there may be more bytes behind it. */
  static LinkReference ofGreeting(byte[] bytes) {
    return read(ByteBuffer.wrap(bytes).position(MAGIC.length));
  }

  /** The greeting of a link back. */
  byte[] greeting() {
    return ByteBuffer.allocate(GREETING_LENGTH).put(MAGIC).putLong(first).putLong(second).array();
  }
}
