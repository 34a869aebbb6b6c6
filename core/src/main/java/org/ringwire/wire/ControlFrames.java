package org.ringwire.wire;

import static org.ringwire.wire.FrameLayout.HEADER_LENGTH;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * The frames that carry no message. They are rare, so that they are made as arrays: whole frames,
 * header and padding included, a multiple of 8 bytes. A reader is given a frame whose length was
 * found to be right when it was assembled, and checks values only; it allocates nothing, except for
 * texts.
 */
public final class ControlFrames {

  /** Length of a CREDIT. */
  public static final int CREDIT_LENGTH = HEADER_LENGTH + 3 * Long.BYTES;

  /** Length of a PING, a PONG, a GRANT and a WAIVE. */
  public static final int TOKEN_LENGTH = HEADER_LENGTH + Long.BYTES;

  /** Length of an ANNOUNCE. */
  public static final int ANNOUNCE_LENGTH = HEADER_LENGTH + 2 * Long.BYTES;

  /** Length of a CHALLENGE and a PROOF. */
  public static final int PROOF_LENGTH = HEADER_LENGTH + Bytes32.LENGTH;

  /** Length of header and correlation id, where the body of a request or an answer begins. */
  public static final int CORRELATED_LENGTH = HEADER_LENGTH + FrameLayout.CORRELATION_LENGTH;

  /** The longest text of REFUSE, CLOSE and FAILURE, in bytes of UTF-8; longer ones are cut. */
  public static final int MAX_TEXT_LENGTH = 4096;

  private static final int FIRST = HEADER_LENGTH;
  private static final int SECOND = FIRST + Long.BYTES;
  private static final int THIRD = SECOND + Long.BYTES;

  /** Announced frames that a receiver keeps open per link; more are a violation. */
  public static final int MOST_ANNOUNCED = 1024;

  private ControlFrames() {}

  /**
   * A CREDIT; all numbers are positions that only grow.
   *
   * @param processedBytes occupied bytes of charged frames that handlers are done with
   * @param processedMessages number of messages and requests that handlers are done with
   * @param granted position up to which charged bytes may be sent
   */
  public static byte[] credit(long processedBytes, long processedMessages, long granted) {
    return new FieldWriter(CREDIT_LENGTH)
        .raw(Long.BYTES, processedBytes)
        .raw(Long.BYTES, processedMessages)
        .raw(Long.BYTES, granted)
        .frame(FrameLayout.CREDIT, 0, CREDIT_LENGTH);
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

  /** A PING. */
  public static byte[] ping(long token) {
    return token(FrameLayout.PING, token);
  }

  /** A PONG, with the token of the PING. */
  public static byte[] pong(long token) {
    return token(FrameLayout.PONG, token);
  }

  /** A GRANT, with the token of the ANNOUNCE. */
  public static byte[] grant(long token) {
    return token(FrameLayout.GRANT, token);
  }

  /**
   * An ANNOUNCE.
   *
   * @param length bytes that the large frame will occupy; 0 gives the grant of the token back
   */
  public static byte[] announce(long token, long length) {
    return new FieldWriter(ANNOUNCE_LENGTH)
        .raw(Long.BYTES, token)
        .raw(Long.BYTES, length)
        .frame(FrameLayout.ANNOUNCE, 0, ANNOUNCE_LENGTH);
  }

  /** The token of a PING, PONG, ANNOUNCE, GRANT or DELAY. */
  public static long token(MemorySegment memory, long offset) {
    return FrameLayout.readWord(memory, offset + FIRST);
  }

  /**
   * The bytes that an announced frame will occupy: 0, which gives a grant back, or a multiple of 8
   * up to {@link FrameLayout#MAX_LENGTH}.
   */
  public static long announcedLength(MemorySegment memory, long offset) {
    long length = FrameLayout.readWord(memory, offset + SECOND);
    if (length < 0 || length > FrameLayout.MAX_LENGTH || length % FrameLayout.ALIGNMENT != 0) {
      throw new ProtocolException(
          Reason.VALUE,
          "ANNOUNCE of an impossible frame: length=" + length + " limit=" + FrameLayout.MAX_LENGTH);
    }
    return length;
  }

  /**
   * A WAIVE.
   *
   * @param bytes of the window that the sender gives up, a multiple of 8
   */
  public static byte[] waive(long bytes) {
    return token(FrameLayout.WAIVE, bytes);
  }

  /** The bytes of a WAIVE: a positive multiple of 8. */
  public static long waivedBytes(MemorySegment memory, long offset) {
    long bytes = FrameLayout.readWord(memory, offset + FIRST);
    if (bytes <= 0 || bytes % FrameLayout.ALIGNMENT != 0) {
      throw new ProtocolException(Reason.VALUE, "WAIVE of an impossible length: bytes=" + bytes);
    }
    return bytes;
  }

  /**
   * A DELAY; text that is too long is cut.
   *
   * @param token of the ANNOUNCE
   */
  public static byte[] delay(long token, String text) {
    return new FieldWriter()
        .raw(Long.BYTES, token)
        .plain(Utf8.encode(text, MAX_TEXT_LENGTH))
        .frame(FrameLayout.DELAY, 0, TOKEN_LENGTH + MAX_TEXT_LENGTH);
  }

  /** A SHARE. */
  public static byte[] share() {
    return new FieldWriter(HEADER_LENGTH).frame(FrameLayout.SHARE, 0, HEADER_LENGTH);
  }

  /** The text of a DELAY. */
  public static String delayText(MemorySegment memory, long offset, long header) {
    return text(memory, offset, header, TOKEN_LENGTH, "DELAY");
  }

  /** A CHALLENGE. */
  public static byte[] challenge(Bytes32 random) {
    return bytes32(FrameLayout.CHALLENGE, random);
  }

  /** A PROOF. */
  public static byte[] proof(Bytes32 proof) {
    return bytes32(FrameLayout.PROOF, proof);
  }

  /** What a CHALLENGE or a PROOF carries. */
  public static Bytes32 bytes32(MemorySegment memory, long offset) {
    return Bytes32.read(memory, offset + FIRST);
  }

  /** A copy of a whole frame, header and padding included. */
  public static byte[] bytes(MemorySegment memory, long offset, long header) {
    byte[] copy = new byte[(int) FrameLayout.occupied(FrameLayout.length(header))];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, copy, 0, copy.length);
    return copy;
  }

  /** A CLOSE; text that is too long is cut. */
  public static byte[] close(CloseReason reason, String text) {
    return new FieldWriter()
        .plain(Utf8.encode(text, MAX_TEXT_LENGTH))
        .frame(FrameLayout.CLOSE, reason.code(), HEADER_LENGTH + MAX_TEXT_LENGTH);
  }

  /** The text of a CLOSE; its reason is {@code CloseReason.of(FrameLayout.type(header))}. */
  public static String closeText(MemorySegment memory, long offset, long header) {
    return text(memory, offset, header, HEADER_LENGTH, "CLOSE");
  }

  /**
   * A FAILURE; text that is too long is cut.
   *
   * @param correlation id of the request
   */
  public static byte[] failure(long correlation, FailureReason reason, String text) {
    return new FieldWriter()
        .raw(Long.BYTES, correlation)
        .plain(Utf8.encode(text, MAX_TEXT_LENGTH))
        .frame(FrameLayout.FAILURE, reason.code(), CORRELATED_LENGTH + MAX_TEXT_LENGTH);
  }

  /** The correlation id of a REQUEST, a RESPONSE or a FAILURE. */
  public static long correlation(MemorySegment memory, long offset) {
    return FrameLayout.readWord(memory, offset + FIRST);
  }

  /** The text of a FAILURE; its reason is {@code FailureReason.of(FrameLayout.type(header))}. */
  public static String failureText(MemorySegment memory, long offset, long header) {
    return text(memory, offset, header, CORRELATED_LENGTH, "FAILURE");
  }

  /** The text at the end of a frame, for people: on one line, whatever the peer has sent. */
  static String text(MemorySegment memory, long offset, long header, int start, String name) {
    int length = FrameLayout.length(header) - start;
    if (length < 0 || length > MAX_TEXT_LENGTH) {
      throw new ProtocolException(
          Reason.FRAME_LENGTH,
          name + " with an impossible length: textLength=" + length + " limit=" + MAX_TEXT_LENGTH);
    }
    byte[] bytes = new byte[length];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + start, bytes, 0, length);
    return Utf8.onOneLine(Utf8.decode(ByteBuffer.wrap(bytes), name, MAX_TEXT_LENGTH));
  }

  private static byte[] bytes32(int kind, Bytes32 value) {
    return new FieldWriter(PROOF_LENGTH).plain(value.bytes()).frame(kind, 0, PROOF_LENGTH);
  }

  private static byte[] token(int kind, long token) {
    return new FieldWriter(TOKEN_LENGTH).raw(Long.BYTES, token).frame(kind, 0, TOKEN_LENGTH);
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
