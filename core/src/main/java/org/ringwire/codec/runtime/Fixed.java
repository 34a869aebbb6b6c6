package org.ringwire.codec.runtime;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ringwire.codec.DecodingException;

/**
 * Values of fixed width at any offset of a memory segment, little-endian: the one place that knows
 * the byte order of the wire. Stateless; the segment checks the bounds.
 */
public final class Fixed {
  /** Two bytes, signed. */
  public static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Two bytes, unsigned. */
  public static final ValueLayout.OfChar CHAR =
      ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Four bytes. */
  public static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Eight bytes. */
  public static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Four bytes, IEEE 754. */
  public static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Eight bytes, IEEE 754. */
  public static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Fixed() {}

  /** Writes 1 byte. */
  public static void putByte(MemorySegment memory, long offset, byte value) {
    memory.set(ValueLayout.JAVA_BYTE, offset, value);
  }

  /** Writes 1 byte, 1 for true and 0 for false. */
  public static void putBoolean(MemorySegment memory, long offset, boolean value) {
    memory.set(ValueLayout.JAVA_BYTE, offset, (byte) (value ? 1 : 0));
  }

  /** Writes 2 bytes. */
  public static void putShort(MemorySegment memory, long offset, short value) {
    memory.set(SHORT, offset, value);
  }

  /** Writes 2 bytes. */
  public static void putChar(MemorySegment memory, long offset, char value) {
    memory.set(CHAR, offset, value);
  }

  /** Writes 4 bytes. */
  public static void putInt(MemorySegment memory, long offset, int value) {
    memory.set(INT, offset, value);
  }

  /** Writes 8 bytes. */
  public static void putLong(MemorySegment memory, long offset, long value) {
    memory.set(LONG, offset, value);
  }

  /** Writes 4 bytes; the bits of a NaN are kept. */
  public static void putFloat(MemorySegment memory, long offset, float value) {
    memory.set(INT, offset, Float.floatToRawIntBits(value));
  }

  /** Writes 8 bytes; the bits of a NaN are kept. */
  public static void putDouble(MemorySegment memory, long offset, double value) {
    memory.set(LONG, offset, Double.doubleToRawLongBits(value));
  }

  /** Writes zeros; {@code length} is small, 0 or more. */
  public static void zero(MemorySegment memory, long offset, long length) {
    long at = offset;
    long end = offset + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      memory.set(LONG, at, 0L);
    }
    for (; at < end; at++) {
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
    }
  }

  /** Reads 1 byte. */
  public static byte getByte(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_BYTE, offset);
  }

  /** Reads 1 byte that must be 0 or 1. */
  public static boolean getBoolean(MemorySegment memory, long offset) {
    return toBoolean(getUnsignedByte(memory, offset));
  }

  /** The meaning of a byte that must be 0 or 1. */
  public static boolean toBoolean(int value) {
    if ((value & ~1) != 0) {
      throw new DecodingException("boolean out of range: expected 0 or 1, found " + value);
    }
    return value != 0;
  }

  /** Reads 1 byte as 0 to 255. */
  public static int getUnsignedByte(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
  }

  /** Reads 2 bytes. */
  public static short getShort(MemorySegment memory, long offset) {
    return memory.get(SHORT, offset);
  }

  /** Reads 2 bytes as 0 to 65535. */
  public static int getUnsignedShort(MemorySegment memory, long offset) {
    return memory.get(SHORT, offset) & 0xffff;
  }

  /** Reads 2 bytes. */
  public static char getChar(MemorySegment memory, long offset) {
    return memory.get(CHAR, offset);
  }

  /** Reads 4 bytes. */
  public static int getInt(MemorySegment memory, long offset) {
    return memory.get(INT, offset);
  }

  /** Reads 8 bytes. */
  public static long getLong(MemorySegment memory, long offset) {
    return memory.get(LONG, offset);
  }

  /** Reads 4 bytes; the bits of a NaN are kept. */
  public static float getFloat(MemorySegment memory, long offset) {
    return Float.intBitsToFloat(memory.get(INT, offset));
  }

  /** Reads 8 bytes; the bits of a NaN are kept. */
  public static double getDouble(MemorySegment memory, long offset) {
    return Double.longBitsToDouble(memory.get(LONG, offset));
  }
}
