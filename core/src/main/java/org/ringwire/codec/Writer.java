package org.ringwire.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.runtime.Fixed;

/**
 * Writes one message into one contiguous piece of memory, front to back, little-endian, without any
 * alignment. What would go beyond the announced length is refused with a {@link
 * WriterOverflowException} before a byte of it is written.
 *
 * <p>Used by one thread at a time and valid during {@link Codec#encode} only. Nothing here
 * allocates per message.
 */
public final class Writer {
  private static final int SCRATCH_LENGTH = 1024;

  private MemorySegment memory = MemorySegment.NULL;
  private long position;
  private long limit;
  private byte @Nullable [] scratch;

  /** Creates a writer that has no room until {@link #wrap} gives it some. */
  public Writer() {}

  /**
   * Gives the writer room, and moves it to the start of it.
   *
   * @param memory where to write; not owned
   * @param offset the first byte to write, 0 or more
   * @param length the bytes that may be written, 0 or more
   * @throws IndexOutOfBoundsException if the memory is smaller than that
   */
  @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // spares a store only
  public void wrap(MemorySegment memory, long offset, long length) {
    if ((offset | length) < 0 || length > memory.byteSize() - offset) {
      throw new IndexOutOfBoundsException(
          "no such room: offset=" + offset + " length=" + length + " size=" + memory.byteSize());
    }
    if (this.memory != memory) { // mostly the same: a reference stored is work for the collector
      this.memory = memory;
    }
    this.position = offset;
    this.limit = offset + length;
  }

  /**
   * The memory that is written to, for codecs that write at offsets from {@link #advance}.
   *
   * @return the memory given to {@link #wrap}
   */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * Where the next byte goes.
   *
   * @return an offset in {@link #memory}
   */
  public long position() {
    return position;
  }

  /**
   * Where the room ends.
   *
   * @return an offset in {@link #memory}, not less than {@link #position}
   */
  public long limit() {
    return limit;
  }

  /**
   * Reserves bytes that the caller then writes itself: one check for many fields.
   *
   * @param length bytes, 0 or more
   * @return the offset of the first of them in {@link #memory}
   * @throws WriterOverflowException if fewer are left
   */
  public long advance(long length) {
    long at = position;
    if (length < 0 || length > limit - at) {
      throw new WriterOverflowException(length, limit - at);
    }
    position = at + length;
    return at;
  }

  /**
   * Writes 1 byte.
   *
   * @param value any value
   */
  public void putByte(byte value) {
    Fixed.putByte(memory, advance(Byte.BYTES), value);
  }

  /**
   * Writes 1 byte, 1 for true and 0 for false.
   *
   * @param value any value
   */
  public void putBoolean(boolean value) {
    Fixed.putBoolean(memory, advance(Byte.BYTES), value);
  }

  /**
   * Writes 2 bytes.
   *
   * @param value any value
   */
  public void putShort(short value) {
    Fixed.putShort(memory, advance(Short.BYTES), value);
  }

  /**
   * Writes 2 bytes.
   *
   * @param value any value
   */
  public void putChar(char value) {
    Fixed.putChar(memory, advance(Character.BYTES), value);
  }

  /**
   * Writes 4 bytes.
   *
   * @param value any value
   */
  public void putInt(int value) {
    Fixed.putInt(memory, advance(Integer.BYTES), value);
  }

  /**
   * Writes 8 bytes.
   *
   * @param value any value
   */
  public void putLong(long value) {
    Fixed.putLong(memory, advance(Long.BYTES), value);
  }

  /**
   * Writes 4 bytes.
   *
   * @param value any value; the bits of a NaN are kept
   */
  public void putFloat(float value) {
    Fixed.putFloat(memory, advance(Float.BYTES), value);
  }

  /**
   * Writes 8 bytes.
   *
   * @param value any value; the bits of a NaN are kept
   */
  public void putDouble(double value) {
    Fixed.putDouble(memory, advance(Double.BYTES), value);
  }

  /**
   * Writes 1 to 5 bytes: few for small magnitudes of either sign.
   *
   * @param value any value
   * @see Lengths#ofCompactInt
   */
  public void putCompactInt(int value) {
    putCompactUnsignedInt((value << 1) ^ (value >> 31));
  }

  /**
   * Writes 1 to 5 bytes: few for small values.
   *
   * @param value any value, taken as unsigned
   * @see Lengths#ofCompactUnsignedInt
   */
  public void putCompactUnsignedInt(int value) {
    if ((value & ~0x7f) == 0) {
      putByte((byte) value);
    } else {
      putCompactUnsignedLong(Integer.toUnsignedLong(value));
    }
  }

  /**
   * Writes 1 to 10 bytes: few for small magnitudes of either sign.
   *
   * @param value any value
   * @see Lengths#ofCompactLong
   */
  public void putCompactLong(long value) {
    putCompactUnsignedLong((value << 1) ^ (value >> 63));
  }

  /**
   * Writes 1 to 10 bytes: few for small values.
   *
   * @param value any value, taken as unsigned
   * @see Lengths#ofCompactUnsignedLong
   */
  public void putCompactUnsignedLong(long value) {
    long at = advance(Lengths.ofCompactUnsignedLong(value));
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      Fixed.putByte(memory, at++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    Fixed.putByte(memory, at, (byte) rest);
  }

  /**
   * Writes how many elements follow, to be read by {@link Reader#getCount}: the plain number.
   *
   * @param count 0 or more
   * @see Lengths#ofCount
   */
  public void putCount(int count) {
    putCompactUnsignedInt(count);
  }

  /**
   * Writes a string: its length in bytes, then UTF-8.
   *
   * @param text without unpaired surrogates
   * @throws IllegalArgumentException if half of a surrogate pair is missing
   * @see Lengths#ofString
   */
  public void putString(String text) {
    int count = text.length();
    if (count >= Utf8.BLOCKS_FROM) {
      putLongString(text, count);
      return;
    }
    long start = position;
    Fixed.putByte(memory, advance(count + 1L), (byte) (count + 1));
    if (!Utf8.tryWriteAscii(text, memory, start + 1)) {
      position = start;
      putMixedString(text, Utf8.length(text));
    }
  }

  private void putLongString(String text, int count) {
    int length = Utf8.length(text);
    if (length == count) {
      putCompactUnsignedInt(count + 1);
      Utf8.writeBlocks(text, memory, advance(count), scratch());
    } else {
      putMixedString(text, length);
    }
  }

  private void putMixedString(String text, int length) {
    putCompactUnsignedInt(length + 1);
    Utf8.writeMixed(text, memory, advance(length));
  }

  /**
   * Writes a string as {@link #putString} does, or a single byte for null.
   *
   * @param text without unpaired surrogates, or null
   * @see Lengths#ofString
   */
  public void putNullableString(@Nullable String text) {
    if (text == null) {
      putByte((byte) 0);
    } else {
      putString(text);
    }
  }

  /**
   * Writes an array with its length in front, to be read by {@link Reader#getByteArray}.
   *
   * @param bytes any array
   * @see Lengths#ofByteArray
   */
  public void putByteArray(byte[] bytes) {
    putCompactUnsignedInt(bytes.length + 1);
    putBytes(bytes, 0, bytes.length);
  }

  /**
   * Writes bytes without their number.
   *
   * @param source where they are
   * @param index the first of them
   * @param count how many, 0 or more
   */
  public void putBytes(byte[] source, int index, int count) {
    long at = advance(count);
    int done = Pieces.put(source, index, memory, ValueLayout.JAVA_BYTE, at, count);
    MemorySegment.copy(
        source, index + done, memory, ValueLayout.JAVA_BYTE, at + done, count - done);
  }

  /**
   * Writes bytes without their number.
   *
   * @param source where they are
   * @param offset the first of them
   * @param length how many, 0 or more
   */
  public void putBytes(MemorySegment source, long offset, long length) {
    long at = advance(length);
    long done = Pieces.copy(source, offset, memory, at, length);
    MemorySegment.copy(source, offset + done, memory, at + done, length - done);
  }

  /**
   * Writes 1 byte for each value, without their number.
   *
   * @param source where they are
   * @param index the first of them
   * @param count how many, 0 or more
   */
  public void putBooleans(boolean[] source, int index, int count) {
    long at = advance(count);
    for (int i = 0; i < count; i++) {
      Fixed.putBoolean(memory, at + i, source[index + i]);
    }
  }

  /**
   * Writes 2 bytes for each value, without their number.
   *
   * @param source where they are
   * @param index the first of them
   * @param count how many, 0 or more
   */
  public void putShorts(short[] source, int index, int count) {
    long at = advance((long) count * Short.BYTES);
    int done = Pieces.put(source, index, memory, Fixed.SHORT, at, count);
    long rest = at + (long) done * Short.BYTES;
    MemorySegment.copy(source, index + done, memory, Fixed.SHORT, rest, count - done);
  }

  /**
   * Writes 2 bytes for each value, without their number.
   *
   * @param source where they are
   * @param index the first of them
   * @param count how many, 0 or more
   */
  public void putChars(char[] source, int index, int count) {
    long at = advance((long) count * Character.BYTES);
    int done = Pieces.put(source, index, memory, Fixed.CHAR, at, count);
    long rest = at + (long) done * Character.BYTES;
    MemorySegment.copy(source, index + done, memory, Fixed.CHAR, rest, count - done);
  }

  /**
   * Writes 4 bytes for each value, without their number.
   *
   * @param source where they are
   * @param index the first of them
   * @param count how many, 0 or more
   */
  public void putInts(int[] source, int index, int count) {
    long at = advance((long) count * Integer.BYTES);
    int done = Pieces.put(source, index, memory, Fixed.INT, at, count);
    long rest = at + (long) done * Integer.BYTES;
    MemorySegment.copy(source, index + done, memory, Fixed.INT, rest, count - done);
  }

  /**
   * Writes 8 bytes for each value, without their number.
   *
   * @param source where they are
   * @param index the first of them
   * @param count how many, 0 or more
   */
  public void putLongs(long[] source, int index, int count) {
    long at = advance((long) count * Long.BYTES);
    int done = Pieces.put(source, index, memory, Fixed.LONG, at, count);
    long rest = at + (long) done * Long.BYTES;
    MemorySegment.copy(source, index + done, memory, Fixed.LONG, rest, count - done);
  }

  /**
   * Writes 4 bytes for each value, without their number.
   *
   * @param source where they are
   * @param index the first of them
   * @param count how many, 0 or more
   */
  public void putFloats(float[] source, int index, int count) {
    long at = advance((long) count * Float.BYTES);
    int done = Pieces.put(source, index, memory, Fixed.FLOAT, at, count);
    long rest = at + (long) done * Float.BYTES;
    MemorySegment.copy(source, index + done, memory, Fixed.FLOAT, rest, count - done);
  }

  /**
   * Writes 8 bytes for each value, without their number.
   *
   * @param source where they are
   * @param index the first of them
   * @param count how many, 0 or more
   */
  public void putDoubles(double[] source, int index, int count) {
    long at = advance((long) count * Double.BYTES);
    int done = Pieces.put(source, index, memory, Fixed.DOUBLE, at, count);
    long rest = at + (long) done * Double.BYTES;
    MemorySegment.copy(source, index + done, memory, Fixed.DOUBLE, rest, count - done);
  }

  /** A small array for blocks that cannot be copied directly. */
  byte[] scratch() {
    byte[] array = scratch;
    if (array == null) {
      array = new byte[SCRATCH_LENGTH];
      scratch = array;
    }
    return array;
  }
}
