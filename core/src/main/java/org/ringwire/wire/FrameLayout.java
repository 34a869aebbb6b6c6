package org.ringwire.wire;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The header of every frame: one 64-bit word, little-endian.
 *
 * <pre>
 *   bits  0..31  length of the frame in bytes, header included, padding excluded; at least 8
 *   bits 32..47  type id of the message, or a code, depending on the kind
 *   bits 48..55  kind
 *   bits 56..63  flags: bit 56 says that the frame uses a grant; the others are 0
 * </pre>
 *
 * <p>A frame occupies its length rounded up to 8 bytes; the bytes in between are zero. Requests,
 * responses and failures carry their correlation id in the 8 bytes after the header.
 */
public final class FrameLayout {

  /** Bytes of a header. */
  public static final int HEADER_LENGTH = 8;

  /** Bytes of a correlation id. */
  public static final int CORRELATION_LENGTH = 8;

  /** Frames begin at multiples of this. */
  public static final int ALIGNMENT = 8;

  /** The greatest length of a frame, in bytes: what one buffer can hold. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE & -ALIGNMENT;

  /** Flag: the frame was announced and granted, and is not charged to the window. */
  public static final int GRANTED = 1;

  /** A one-way message: body. */
  public static final int MESSAGE = 1;

  /** A request: correlation id, body. */
  public static final int REQUEST = 2;

  /** The response to a request: correlation id, body. */
  public static final int RESPONSE = 3;

  /** The failure of a request: correlation id, text in UTF-8; the type field is a code. */
  public static final int FAILURE = 4;

  /** Announces the type id of the type field: fields of a {@link TypeAnnouncement}. */
  public static final int TYPE = 5;

  /** First frame of the side that opened the link: magic, fields. */
  public static final int HELLO = 16;

  /** Accepts a HELLO: fields. */
  public static final int WELCOME = 17;

  /** Refuses a HELLO: code in the type field, text in UTF-8; the link closes. */
  public static final int REFUSE = 18;

  /** Returns credit: processed bytes, processed messages, granted position; 64 bits each. */
  public static final int CREDIT = 19;

  /** Asks for a sign of life: 64-bit token. */
  public static final int PING = 20;

  /** Answers a PING with its token. */
  public static final int PONG = 21;

  /**
   * Asks for the grant of a large frame: 64-bit token, and the bytes that the frame will occupy, 64
   * bits; 0 gives a grant back.
   */
  public static final int ANNOUNCE = 22;

  /** Grants a large frame: the token. */
  public static final int GRANT = 23;

  /** Nothing but control follows from this side; code in the type field, text in UTF-8. */
  public static final int CLOSE = 24;

  /**
   * Gives credit up that was granted: so many charged bytes, 64 bits, count as sent and processed.
   */
  public static final int WAIVE = 25;

  /** Answers a HELLO that offers a proof: 32 random bytes. */
  public static final int CHALLENGE = 26;

  /** Answers a CHALLENGE: 32 bytes that only who knows the cluster's secret can make. */
  public static final int PROOF = 27;

  /** Says why an announced frame is not granted yet: the token, text in UTF-8. */
  public static final int DELAY = 28;

  /**
   * The receiver's link carries the data of both from now on: that of the sender is gone. Nothing
   * else in it.
   */
  public static final int SHARE = 29;

  /** In a ring only, never on the wire: skipped. */
  public static final int PADDING = 255;

  /** In a ring only, never on the wire: stands for a large frame kept elsewhere. */
  public static final int DETACHED = 254;

  private static final ValueLayout.OfLong WORD =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private FrameLayout() {}

  /** A header word. */
  public static long header(int kind, int type, int length) {
    return ((long) kind << 48) | ((type & 0xFFFFL) << 32) | (length & 0xFFFF_FFFFL);
  }

  /** Length of a frame, header included; negative lengths of hostile peers stay negative. */
  public static int length(long header) {
    return (int) header;
  }

  /** Type id or code, 0 to 65535. */
  public static int type(long header) {
    return (int) (header >>> 32) & 0xFFFF;
  }

  /** Kind, 0 to 255. */
  public static int kind(long header) {
    return (int) (header >>> 48) & 0xFF;
  }

  /** The header of the same frame when it uses a grant. */
  public static long granted(long header) {
    return header | (long) GRANTED << 56;
  }

  /** Whether the frame uses a grant. */
  public static boolean isGranted(long header) {
    return (header & (long) GRANTED << 56) != 0;
  }

  /** Flags, 0 to 255. */
  public static int flags(long header) {
    return (int) (header >>> 56);
  }

  /** Bytes that a frame of this length occupies. */
  public static long occupied(long length) {
    return (length + (ALIGNMENT - 1)) & -ALIGNMENT;
  }

  /** Reads the header at an offset. */
  public static long readHeader(MemorySegment memory, long offset) {
    return memory.get(WORD, offset);
  }

  /** Reads a 64-bit word at an offset. */
  public static long readWord(MemorySegment memory, long offset) {
    return memory.get(WORD, offset);
  }

  /** Writes a 64-bit word, or a header, at an offset. */
  public static void writeWord(MemorySegment memory, long offset, long word) {
    memory.set(WORD, offset, word);
  }
}
