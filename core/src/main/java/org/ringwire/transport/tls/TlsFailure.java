package org.ringwire.transport.tls;

import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.Link;

/** Says for people why TLS failed, and whose certificate or setting to look at. */
final class TlsFailure {

  private static final String ALERT = "Received fatal alert: ";

  /** What the JDK says of handshake messages, of which certificates are the long ones. */
  private static final String TOO_LONG = "exceeds the maximum allowed size";

  /** What the JDK says of an alert from a peer that has no keys, as it gave up before. */
  private static final String WITHOUT_KEYS = "plaintext alert";

  private TlsFailure() {}

  /** A failure of the engine. */
  static SSLException of(String remote, boolean open, Throwable failure) {
    String what = (open ? "TLS failed" : "no TLS connection") + ": remote=" + remote + ": ";
    return new SSLException(what + reason(failure), failure);
  }

  /**
   * Why a link ends that neither side has closed.
   *
   * @param medium null if there was none yet
   * @param address that this side has opened it to, if it has
   * @param cause why the medium has ended, if it says so
   */
  static Throwable ofMedium(
      @Nullable Link medium, @Nullable String address, boolean open, @Nullable Throwable cause) {
    if (cause != null && (open || medium == null)) {
      return cause; // the medium broke, or was never there
    }
    return cut(medium == null ? String.valueOf(address) : medium.remote(), open, cause);
  }

  /** The medium has ended, or was cut, without a farewell. */
  private static SSLException cut(String remote, boolean open, @Nullable Throwable cause) {
    String why =
        cause != null
            ? String.valueOf(cause.getMessage())
            : open
                ? "the stream was cut: it ended without close_notify"
                : "the peer closed the connection during the handshake; it may not speak TLS, or"
                    + " have too many handshakes in progress";
    String what = open ? "TLS stream truncated" : "no TLS connection";
    return new SSLException(what + ": remote=" + remote + ": " + why, cause);
  }

  private static String reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return String.valueOf(cause.getMessage());
      }
      if (String.valueOf(cause.getMessage()).contains(WITHOUT_KEYS)) {
        return "the peer gave the handshake up: it was closed, or had no time left for it ("
            + cause.getMessage()
            + ")";
      }
    }
    String message = String.valueOf(failure.getMessage());
    int alert = message.indexOf(ALERT);
    if (alert >= 0) {
      String name = message.substring(alert + ALERT.length());
      return "the peer refused: alert=" + name + advice(name);
    }
    if (message.contains(TOO_LONG)) {
      return message
          + " (the peer's certificates are too long, such as one for a thousand nodes:"
          + " -Djdk.tls.maxHandshakeMessageSize=N on this side takes longer ones)";
    }
    return message;
  }

  private static String advice(String alert) {
    return switch (alert) {
      case "certificate_expired" -> " (the certificate of this node has expired, by its clock)";
      case "unknown_ca", "certificate_unknown", "bad_certificate", "access_denied" ->
          " (it does not accept the certificate of this node: is it signed by one that the peer"
              + " trusts, for this cluster, and for clients and servers alike? the peer's"
              + " NodeListener.refused says why)";
      case "certificate_required" -> " (it got no certificate)";
      case "unexpected_message", "protocol_version", "handshake_failure" ->
          " (it does not speak TLS 1.3 as this node does)";
      default -> "";
    };
  }
}
