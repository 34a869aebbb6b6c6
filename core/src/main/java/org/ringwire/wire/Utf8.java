package org.ringwire.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ringwire.wire.ProtocolException.Reason;

/** Text on the wire: UTF-8, checked strictly, and never trusted in a message for people. */
final class Utf8 {

  private static final int MAX_QUOTED = 64;

  private Utf8() {}

  /**
   * Reads text that fills the rest of a buffer.
   *
   * @param name of the text in an error
   * @param maxLength in bytes
   */
  static String decode(ByteBuffer bytes, String name, int maxLength) {
    int length = bytes.remaining();
    if (length > maxLength) {
      throw new ProtocolException(
          Reason.TEXT, "text too long: name=" + name + " length=" + length + " limit=" + maxLength);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      ProtocolException failure =
          new ProtocolException(
              Reason.TEXT, "text is not UTF-8: name=" + name + " length=" + length);
      failure.addSuppressed(e);
      throw failure;
    }
  }

  /** Text in bytes, cut at the limit between two characters. */
  static byte[] encode(String text, int maxLength) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= maxLength) {
      return bytes;
    }
    int end = maxLength;
    while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }

  /** Sentences of a peer for an error message or a log: on one line. */
  static String onOneLine(String text) {
    StringBuilder shown = new StringBuilder(text);
    for (int i = 0; i < shown.length(); i++) {
      if (Character.isISOControl(shown.charAt(i))) {
        shown.setCharAt(i, '.');
      }
    }
    return shown.toString();
  }

  /** Text of a peer for an error message or a log: short, in quotes, on one line. */
  static String quote(String text) {
    int length = Math.min(text.length(), MAX_QUOTED);
    StringBuilder quoted = new StringBuilder(length + 5).append('"');
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      quoted.append(Character.isISOControl(c) || c == '"' ? '.' : c);
    }
    return quoted.append(length < text.length() ? "...\"" : "\"").toString();
  }
}
