package org.ringwire.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells people which other protocol has reached this port, from its first eight bytes. */
final class ForeignProtocols {

  private static final List<String> HTTP =
      List.of(
          "GET ",
          "POST ",
          "PUT ",
          "HEAD ",
          "DELETE ",
          "OPTIONS ",
          "PATCH ",
          "CONNECT ",
          "TRACE ",
          "PRI * HT",
          "HTTP/");

  private ForeignProtocols() {}

  /**
   * A sentence about bytes that are no header of ours.
   *
   * @param word the first eight bytes of a link, little-endian
   * @return null if nothing is recognized
   */
  static @Nullable String recognize(long word) {
    byte[] bytes = new byte[Long.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (word >>> (i << 3));
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (HTTP.stream().anyMatch(method -> startsAlike(text, method))) {
      return sentence("HTTP", text);
    }
    if (text.startsWith("SSH-")) {
      return sentence("SSH", text);
    }
    if ((bytes[0] == 0x16 && bytes[1] == 3) || text.startsWith("RWBACK\0")) {
      return "the peer speaks another protocol: this looks like TLS, which this link does not use";
    }
    if (bytes[0] == 0x15 && bytes[1] == 3) {
      return "the peer speaks another protocol: this looks like an alert of TLS, which the peer"
          + " demands and this node does not use";
    }
    if (text.startsWith("\r\n\r\n\0\r\nQ") || text.startsWith("PROXY ")) {
      return "the peer speaks another protocol: this looks like a PROXY protocol header; switch it"
          + " off at the load balancer";
    }
    return isPrintable(bytes) ? sentence("a text protocol", text) : null;
  }

  private static boolean startsAlike(String text, String prefix) {
    int length = Math.min(text.length(), prefix.length());
    return text.regionMatches(0, prefix, 0, length);
  }

  private static boolean isPrintable(byte[] bytes) {
    for (byte b : bytes) {
      if ((b < 0x20 || b > 0x7E) && b != '\r' && b != '\n' && b != '\t') {
        return false;
      }
    }
    return true;
  }

  private static String sentence(String protocol, String text) {
    return "the peer speaks another protocol: this looks like "
        + protocol
        + ": firstBytes="
        + Utf8.quote(text);
  }
}
