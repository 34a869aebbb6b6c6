package org.ringwire.wire;

import static org.ringwire.wire.FrameLayout.HEADER_LENGTH;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * Writes and reads the frames that carry no message, without allocating, except for texts.
 *
 * <p>A {@code write...} method writes all of a frame but its header, padding included, at an offset
 * where so many bytes are free as {@link FrameLayout#occupied} says of its length, and returns the
 * header: the caller publishes it, in a ring by committing. A reader is given a frame that a {@link
 * FrameAssembler} has handed out, so that its length is right; it checks values only.
 */
public final class ControlFrames {

  /** Length of a CREDIT. */
  public static final int CREDIT_LENGTH = HEADER_LENGTH + 3 * Long.BYTES;

  /** Length of a PING, a PONG and a GRANT. */
  public static final int TOKEN_LENGTH = HEADER_LENGTH + Long.BYTES;

  /** Length of an ANNOUNCE. */
  public static final int ANNOUNCE_LENGTH = HEADER_LENGTH + 2 * Long.BYTES;

  /** Length of header and correlation id, where the body of a request or an answer begins. */
  public static final int CORRELATED_LENGTH = HEADER_LENGTH + FrameLayout.CORRELATION_LENGTH;

  /** The longest text of REFUSE, CLOSE and FAILURE, in bytes of UTF-8; longer ones are cut. */
  public static final int MAX_TEXT_LENGTH = 4096;

  private static final int FIRST = HEADER_LENGTH;
  private static final int SECOND = FIRST + Long.BYTES;
  private static final int THIRD = SECOND + Long.BYTES;

  private ControlFrames() {}

  /**
   * Writes a CREDIT of {@value #CREDIT_LENGTH} bytes; all numbers are positions that only grow.
   *
   * @param processedBytes occupied bytes of charged frames that handlers are done with
   * @param processedMessages number of messages and requests among them
   * @param granted position up to which charged bytes may be sent
   */
  public static long writeCredit(
      MemorySegment memory,
      long offset,
      long processedBytes,
      long processedMessages,
      long granted) {
    FrameLayout.writeWord(memory, offset + FIRST, processedBytes);
    FrameLayout.writeWord(memory, offset + SECOND, processedMessages);
    FrameLayout.writeWord(memory, offset + THIRD, granted);
    return FrameLayout.header(FrameLayout.CREDIT, 0, CREDIT_LENGTH);
  }

  /** Position of processed bytes in a CREDIT, 0 or more. */
  public static long processedBytes(MemorySegment memory, long offset) {
    return position(memory, offset + FIRST, "processedBytes");
  }

  /** Number of processed messages in a CREDIT, 0 or more. */
  public static long processedMessages(MemorySegment memory, long offset) {
    return position(memory, offset + SECOND, "processedMessages");
  }

  /** Granted position in a CREDIT, 0 or more. */
  public static long granted(MemorySegment memory, long offset) {
    return position(memory, offset + THIRD, "granted");
  }

  /** Writes a PING of {@value #TOKEN_LENGTH} bytes. */
  public static long writePing(MemorySegment memory, long offset, long token) {
    return writeToken(memory, offset, FrameLayout.PING, token);
  }

  /** Writes a PONG of {@value #TOKEN_LENGTH} bytes, with the token of the PING. */
  public static long writePong(MemorySegment memory, long offset, long token) {
    return writeToken(memory, offset, FrameLayout.PONG, token);
  }

  /** Writes a GRANT of {@value #TOKEN_LENGTH} bytes, with the token of the ANNOUNCE. */
  public static long writeGrant(MemorySegment memory, long offset, long token) {
    return writeToken(memory, offset, FrameLayout.GRANT, token);
  }

  /**
   * Writes an ANNOUNCE of {@value #ANNOUNCE_LENGTH} bytes.
   *
   * @param occupied bytes that the large frame will occupy; 0 gives the grant of the token back
   */
  public static long writeAnnounce(MemorySegment memory, long offset, long token, long occupied) {
    FrameLayout.writeWord(memory, offset + SECOND, occupied);
    writeToken(memory, offset, FrameLayout.ANNOUNCE, token);
    return FrameLayout.header(FrameLayout.ANNOUNCE, 0, ANNOUNCE_LENGTH);
  }

  /** The token of a PING, PONG, ANNOUNCE or GRANT. */
  public static long token(MemorySegment memory, long offset) {
    return FrameLayout.readWord(memory, offset + FIRST);
  }

  /**
   * The bytes that an announced frame will occupy: 0, which gives a grant back, or a multiple of 8
   * up to {@link FrameLayout#MAX_LENGTH}.
   */
  public static long announcedBytes(MemorySegment memory, long offset) {
    long occupied = FrameLayout.readWord(memory, offset + SECOND);
    if (occupied < 0
        || occupied > FrameLayout.MAX_LENGTH
        || occupied % FrameLayout.ALIGNMENT != 0) {
      throw new ProtocolException(
          Reason.VALUE,
          "ANNOUNCE of an impossible frame: occupied="
              + occupied
              + " limit="
              + FrameLayout.MAX_LENGTH);
    }
    return occupied;
  }

  /** Text as it stands in a frame: UTF-8, cut at {@value #MAX_TEXT_LENGTH} bytes. */
  public static byte[] textBytes(String text) {
    return Utf8.encode(text, MAX_TEXT_LENGTH);
  }

  /** Length of a CLOSE with a text. */
  public static int closeLength(byte[] text) {
    return HEADER_LENGTH + text.length;
  }

  /**
   * Writes a CLOSE of {@link #closeLength} bytes.
   *
   * @param text made by {@link #textBytes}
   */
  public static long writeClose(
      MemorySegment memory, long offset, CloseReason reason, byte[] text) {
    writeText(memory, offset, HEADER_LENGTH, text);
    return FrameLayout.header(FrameLayout.CLOSE, reason.code(), closeLength(text));
  }

  /** The text of a CLOSE; its reason is {@code CloseReason.of(FrameLayout.type(header))}. */
  public static String closeText(MemorySegment memory, long offset, long header) {
    return text(memory, offset, header, HEADER_LENGTH, "CLOSE");
  }

  /** Length of a FAILURE with a text. */
  public static int failureLength(byte[] text) {
    return CORRELATED_LENGTH + text.length;
  }

  /**
   * Writes a FAILURE of {@link #failureLength} bytes.
   *
   * @param correlation id of the request
   * @param text made by {@link #textBytes}
   */
  public static long writeFailure(
      MemorySegment memory, long offset, long correlation, FailureReason reason, byte[] text) {
    FrameLayout.writeWord(memory, offset + FIRST, correlation);
    writeText(memory, offset, CORRELATED_LENGTH, text);
    return FrameLayout.header(FrameLayout.FAILURE, reason.code(), failureLength(text));
  }

  /** The correlation id of a REQUEST, a RESPONSE or a FAILURE. */
  public static long correlation(MemorySegment memory, long offset) {
    return FrameLayout.readWord(memory, offset + FIRST);
  }

  /** The text of a FAILURE; its reason is {@code FailureReason.of(FrameLayout.type(header))}. */
  public static String failureText(MemorySegment memory, long offset, long header) {
    return text(memory, offset, header, CORRELATED_LENGTH, "FAILURE");
  }

  /** The text at the end of a frame. */
  static String text(MemorySegment memory, long offset, long header, int start, String name) {
    int length = FrameLayout.length(header) - start;
    if (length < 0 || length > MAX_TEXT_LENGTH) {
      throw new ProtocolException(
          Reason.FRAME_LENGTH,
          name + " with an impossible length: textLength=" + length + " limit=" + MAX_TEXT_LENGTH);
    }
    byte[] bytes = new byte[length];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + start, bytes, 0, length);
    return Utf8.decode(ByteBuffer.wrap(bytes), name, MAX_TEXT_LENGTH);
  }

  private static long writeToken(MemorySegment memory, long offset, int kind, long token) {
    FrameLayout.writeWord(memory, offset + FIRST, token);
    return FrameLayout.header(kind, 0, TOKEN_LENGTH);
  }

  private static void writeText(MemorySegment memory, long offset, int start, byte[] text) {
    int length = start + text.length;
    if (length % FrameLayout.ALIGNMENT != 0) {
      long last = FrameLayout.occupied(length) - Long.BYTES;
      FrameLayout.writeWord(memory, offset + last, 0);
    }
    MemorySegment.copy(text, 0, memory, ValueLayout.JAVA_BYTE, offset + start, text.length);
  }

  private static long position(MemorySegment memory, long at, String name) {
    long value = FrameLayout.readWord(memory, at);
    if (value < 0) {
      throw new ProtocolException(
          Reason.CREDIT, "CREDIT with an impossible position: " + name + "=" + value);
    }
    return value;
  }
}
