package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.ringwire.wire.FrameLayout;

/**
 * Rare frames as byte arrays. Plain arrays, not heap segments: memory accesses of the hot path stay
 * monomorphic for the compiler as long as only native segments pass through them.
 */
public final class FrameBytes {

  private static final int LONGEST_TEXT = 4096;

  private FrameBytes() {}

  /** A frame of a kind whose body is 64-bit words. */
  public static byte[] words(int kind, long... words) {
    int length = FrameLayout.HEADER_LENGTH + words.length * Long.BYTES;
    ByteBuffer frame = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    frame.putLong(FrameLayout.header(kind, 0, length));
    for (long word : words) {
      frame.putLong(word);
    }
    return frame.array();
  }

  /** A FAILURE frame: correlation id and text, cut to what the wire format allows. */
  public static byte[] failure(long correlation, int code, String text) {
    byte[] bytes = bounded(text);
    int length = FrameLayout.HEADER_LENGTH + Long.BYTES + bytes.length;
    return frame(FrameLayout.FAILURE, code, length).putLong(correlation).put(bytes).array();
  }

  /** A CLOSE frame. */
  public static byte[] close(int code, String text) {
    byte[] bytes = bounded(text);
    int length = FrameLayout.HEADER_LENGTH + bytes.length;
    return frame(FrameLayout.CLOSE, code, length).put(bytes).array();
  }

  private static ByteBuffer frame(int kind, int code, int length) {
    return ByteBuffer.allocate((int) FrameLayout.occupied(length))
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(FrameLayout.header(kind, code, length));
  }

  private static byte[] bounded(String text) {
    String cut = text;
    byte[] bytes = cut.getBytes(StandardCharsets.UTF_8);
    while (bytes.length > LONGEST_TEXT) {
      cut = cut.substring(0, cut.length() - Math.max(1, (bytes.length - LONGEST_TEXT) / 4));
      bytes = cut.getBytes(StandardCharsets.UTF_8);
    }
    return bytes;
  }

  /** The header of a frame. */
  public static long header(byte[] frame) {
    return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
  }

  public static void copy(byte[] frame, int from, MemorySegment target, long offset, int length) {
    MemorySegment.copy(frame, from, target, ValueLayout.JAVA_BYTE, offset, length);
  }
}
