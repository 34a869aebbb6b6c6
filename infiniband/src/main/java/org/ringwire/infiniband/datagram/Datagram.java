package org.ringwire.infiniband.datagram;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What stands before the content of a datagram: {@value #LENGTH} bytes, little-endian. An
 * acknowledgement has a bitmap of up to {@value #MOST_WORDS} words of 64 bits as its content: bit
 * {@code i} says that number {@code next + 1 + i} has arrived.
 *
 * <p>The check is made of all other bytes here, the bitmap, and a token of 64 bits that the
 * receiver has drawn for the link. So a datagram of an earlier link with the same number, of
 * somebody who has not seen the exchange, or with a damaged head is recognised. It keeps out
 * mistakes and strangers, not who can read the wire; the content is guarded by the network's own
 * checksum.
 *
 * <p>Mutable and used again and again, by one thread at a time.
 */
public final class Datagram {

  /** Bytes before the content. */
  public static final int LENGTH = 28;

  /** Words of a bitmap at most. */
  public static final int MOST_WORDS = SendWindow.MOST / Long.SIZE;

  /** Bytes of an acknowledgement at most. */
  public static final int LONGEST_ACKNOWLEDGEMENT = LENGTH + MOST_WORDS * Long.BYTES;

  /** The content is a piece of the stream; has a number, as the next two. */
  public static final int DATA = 1;

  /** The first of the opener's: its end is ready. No content. */
  public static final int READY = 2;

  /** The last one: the end of the stream. No content. */
  public static final int FAREWELL = 3;

  /** Of what the sender has received; has no number, and is not acknowledged itself. */
  public static final int ACKNOWLEDGEMENT = 4;

  private static final int VERSION = 1;
  private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final long KIND_AT = 1;
  private static final long LINK_AT = 2;
  private static final long NUMBER_AT = 4;
  private static final long NEXT_AT = 8;
  private static final long WINDOW_AT = 12;
  private static final long CONTENT_LENGTH_AT = 14;
  private static final long SENT_AT = 16;
  private static final long ECHO_AT = 20;
  private static final long CHECK_AT = 24;

  int kind;
  int number;
  int next;
  int window;
  int sentUs;
  int echoUs;
  final long[] words = new long[MOST_WORDS];
  int wordCount;
  private int linkNumber;
  private int contentLength;

  /** Nothing yet. */
  public Datagram() {}

  /** What it is. */
  public int kind() {
    return kind;
  }

  /** Whether it has a number. */
  public boolean isNumbered() {
    return kind != ACKNOWLEDGEMENT;
  }

  /** The number that the receiver has given to the link, 16 bits. */
  public int linkNumber() {
    return linkNumber;
  }

  /** Bytes behind the head: those of the bitmap in an acknowledgement. */
  public int contentLength() {
    return contentLength;
  }

  void address(int receiverLinkNumber, int length) {
    linkNumber = receiverLinkNumber;
    contentLength = length;
  }

  boolean hasArrived(int bit) {
    return (words[bit >>> 6] & 1L << bit) != 0;
  }

  /**
   * Writes the head, and the bitmap of an acknowledgement.
   *
   * @return bytes written
   */
  public int write(MemorySegment memory, long offset, long token) {
    memory.set(ValueLayout.JAVA_BYTE, offset, (byte) VERSION);
    memory.set(ValueLayout.JAVA_BYTE, offset + KIND_AT, (byte) kind);
    memory.set(U16, offset + LINK_AT, (short) linkNumber);
    memory.set(U32, offset + NUMBER_AT, number);
    memory.set(U32, offset + NEXT_AT, next);
    memory.set(U16, offset + WINDOW_AT, (short) window);
    memory.set(U16, offset + CONTENT_LENGTH_AT, (short) contentLength);
    memory.set(U32, offset + SENT_AT, sentUs);
    memory.set(U32, offset + ECHO_AT, echoUs);
    for (int i = 0; i < wordCount; i++) {
      memory.set(U64, offset + LENGTH + (long) i * Long.BYTES, words[i]);
    }
    memory.set(U32, offset + CHECK_AT, check(memory, offset, token));
    return LENGTH + wordCount * Long.BYTES;
  }

  /**
   * Reads what somebody has sent.
   *
   * @param length bytes that have arrived
   * @return false if it cannot be one; then nothing here means anything
   */
  public boolean read(MemorySegment memory, long offset, long length) {
    if (length < LENGTH || memory.get(ValueLayout.JAVA_BYTE, offset) != VERSION) {
      return false;
    }
    kind = memory.get(ValueLayout.JAVA_BYTE, offset + KIND_AT);
    linkNumber = Short.toUnsignedInt(memory.get(U16, offset + LINK_AT));
    number = memory.get(U32, offset + NUMBER_AT);
    next = memory.get(U32, offset + NEXT_AT);
    window = Short.toUnsignedInt(memory.get(U16, offset + WINDOW_AT));
    contentLength = Short.toUnsignedInt(memory.get(U16, offset + CONTENT_LENGTH_AT));
    sentUs = memory.get(U32, offset + SENT_AT);
    echoUs = memory.get(U32, offset + ECHO_AT);
    wordCount = 0;
    return contentLength == length - LENGTH && readContent(memory, offset + LENGTH);
  }

  private boolean readContent(MemorySegment memory, long offset) {
    return switch (kind) {
      case DATA -> contentLength > 0;
      case READY, FAREWELL -> contentLength == 0;
      case ACKNOWLEDGEMENT -> readBitmap(memory, offset);
      default -> false;
    };
  }

  private boolean readBitmap(MemorySegment memory, long offset) {
    if (contentLength % Long.BYTES != 0 || contentLength > MOST_WORDS * Long.BYTES) {
      return false;
    }
    wordCount = contentLength / Long.BYTES;
    for (int i = 0; i < wordCount; i++) {
      words[i] = memory.get(U64, offset + (long) i * Long.BYTES);
    }
    return true;
  }

  /** Whether what was read there was written with this token. */
  public boolean isGenuine(MemorySegment memory, long offset, long token) {
    return memory.get(U32, offset + CHECK_AT) == check(memory, offset, token);
  }

  private int check(MemorySegment memory, long offset, long token) {
    long sum = mix(token);
    for (long at = 0; at < CHECK_AT; at += Long.BYTES) {
      sum = mix(sum ^ memory.get(U64, offset + at));
    }
    for (int i = 0; i < wordCount; i++) {
      sum = mix(sum ^ words[i]);
    }
    return (int) (sum >>> Integer.SIZE);
  }

  private static long mix(long value) {
    long product = (value ^ value >>> 32) * MULTIPLIER;
    return (product ^ product >>> 29) * MULTIPLIER;
  }
}
