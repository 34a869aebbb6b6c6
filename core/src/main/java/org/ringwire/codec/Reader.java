package org.ringwire.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.runtime.Fixed;
import org.ringwire.codec.runtime.KeyCosts;

/**
 * Reads one message from one contiguous piece of memory, front to back. Trusts nothing: what goes
 * beyond the message, and lengths that it cannot hold, are refused with a {@link DecodingException}
 * before anything is allocated for them.
 *
 * <p>Used by one thread at a time and valid during {@link Codec#decode} only. Every byte is looked
 * at once, so memory that a peer changes meanwhile yields wrong values, never an unchecked access.
 */
public final class Reader {
  /** Strings of up to this many bytes pass through an array that is kept. */
  private static final int SCRATCH_LENGTH = 4096;

  private static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

  static {
    KeyCosts.setAccess(reader -> reader.keyCosts, Reader::createKeyCosts);
  }

  private MemorySegment memory = MemorySegment.NULL;
  private long position;
  private long limit;
  private boolean copyViews;
  private byte[] scratch = new byte[128];
  private @Nullable KeyCosts keyCosts; // from the first keys on that hold sets or maps

  /** Creates a reader that has nothing to read until {@link #wrap} gives it something. */
  public Reader() {}

  /**
   * Gives the reader a message, and moves it to the start of it.
   *
   * @param memory where to read; not owned
   * @param offset the first byte of the message, 0 or more
   * @param length the bytes of the message, 0 or more
   * @throws IndexOutOfBoundsException if the memory is smaller than that
   */
  @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // spares a store only
  public void wrap(MemorySegment memory, long offset, long length) {
    if ((offset | length) < 0 || length > memory.byteSize() - offset) {
      throw new IndexOutOfBoundsException(
          "no such bytes: offset=" + offset + " length=" + length + " size=" + memory.byteSize());
    }
    if (this.memory != memory) { // mostly the same: a reference stored is work for the collector
      this.memory = memory;
    }
    this.position = offset;
    this.limit = offset + length;
    if (keyCosts != null) {
      keyCosts.reset();
    }
  }

  private KeyCosts createKeyCosts() {
    KeyCosts costs = new KeyCosts();
    keyCosts = costs;
    return costs;
  }

  /**
   * Whether {@link #view} copies. The library switches it on for handlers that outlive the memory.
   *
   * @param copy true for copies, false (the default) for views
   */
  public void copyViews(boolean copy) {
    this.copyViews = copy;
  }

  /**
   * Whether {@link #view} copies.
   *
   * @return what {@link #copyViews(boolean)} was last told
   */
  public boolean copiesViews() {
    return copyViews;
  }

  /**
   * The memory that is read, for codecs that read at offsets from {@link #advance}.
   *
   * @return the memory given to {@link #wrap}
   */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * Where the next byte comes from.
   *
   * @return an offset in {@link #memory}
   */
  public long position() {
    return position;
  }

  /**
   * Where the message ends.
   *
   * @return an offset in {@link #memory}, not less than {@link #position}
   */
  public long limit() {
    return limit;
  }

  /**
   * What is left of the message.
   *
   * @return bytes, 0 or more
   */
  public long remaining() {
    return limit - position;
  }

  /**
   * Passes over bytes that the caller then reads itself: one check for many fields.
   *
   * @param length bytes, 0 or more
   * @return the offset of the first of them in {@link #memory}
   * @throws DecodingException if fewer are left
   */
  public long advance(long length) {
    long at = position;
    if (length < 0 || length > limit - at) {
      throw new DecodingException(
          "message too short: expected " + length + " more bytes, found " + (limit - at));
    }
    position = at + length;
    return at;
  }

  /**
   * Reads 1 byte.
   *
   * @return any value
   */
  public byte getByte() {
    return Fixed.getByte(memory, advance(Byte.BYTES));
  }

  /**
   * Reads 1 byte that must be 0 or 1.
   *
   * @return true for 1
   */
  public boolean getBoolean() {
    return Fixed.getBoolean(memory, advance(Byte.BYTES));
  }

  /**
   * Reads 2 bytes.
   *
   * @return any value
   */
  public short getShort() {
    return Fixed.getShort(memory, advance(Short.BYTES));
  }

  /**
   * Reads 2 bytes.
   *
   * @return any value
   */
  public char getChar() {
    return Fixed.getChar(memory, advance(Character.BYTES));
  }

  /**
   * Reads 4 bytes.
   *
   * @return any value
   */
  public int getInt() {
    return Fixed.getInt(memory, advance(Integer.BYTES));
  }

  /**
   * Reads 8 bytes.
   *
   * @return any value
   */
  public long getLong() {
    return Fixed.getLong(memory, advance(Long.BYTES));
  }

  /**
   * Reads 4 bytes.
   *
   * @return any value
   */
  public float getFloat() {
    return Fixed.getFloat(memory, advance(Float.BYTES));
  }

  /**
   * Reads 8 bytes.
   *
   * @return any value
   */
  public double getDouble() {
    return Fixed.getDouble(memory, advance(Double.BYTES));
  }

  /**
   * Reads what {@link Writer#putCompactInt} wrote.
   *
   * @return any value
   */
  public int getCompactInt() {
    int value = getCompactUnsignedInt();
    return (value >>> 1) ^ -(value & 1);
  }

  /**
   * Reads what {@link Writer#putCompactUnsignedInt} wrote.
   *
   * @return any value, to be taken as unsigned
   */
  public int getCompactUnsignedInt() {
    byte first = getByte();
    if (first >= 0) {
      return first;
    }
    return CompactNumbers.checkedInt(CompactNumbers.rest(this, first));
  }

  /**
   * Reads what {@link Writer#putCompactLong} wrote.
   *
   * @return any value
   */
  public long getCompactLong() {
    long value = getCompactUnsignedLong();
    return (value >>> 1) ^ -(value & 1);
  }

  /**
   * Reads what {@link Writer#putCompactUnsignedLong} wrote.
   *
   * @return any value, to be taken as unsigned
   */
  public long getCompactUnsignedLong() {
    byte first = getByte();
    return first >= 0 ? first : CompactNumbers.rest(this, first);
  }

  /**
   * Reads how many elements follow, and refuses more than the rest of the message can hold: arrays
   * and collections may be sized by the result.
   *
   * @param minimumElementLength the fewest bytes that an element takes, 1 or more
   * @return 0 or more
   * @throws IllegalArgumentException if elements are said to take no bytes: nothing would bound
   *     what five bytes of a peer make this side allocate
   */
  public int getCount(long minimumElementLength) {
    if (minimumElementLength < 1) {
      throw new IllegalArgumentException(
          "minimumElementLength must be 1 or more: " + minimumElementLength);
    }
    long count = Integer.toUnsignedLong(getCompactUnsignedInt());
    if (count > Integer.MAX_VALUE || count * minimumElementLength > remaining()) {
      throw new DecodingException(
          "count too large: found "
              + count
              + " elements of "
              + minimumElementLength
              + " bytes or more, remaining "
              + remaining());
    }
    return (int) count;
  }

  /**
   * Reads what {@link Writer#putString} wrote.
   *
   * @return the string
   * @throws DecodingException if it is null, too long for the message, or not UTF-8
   */
  public String getString() {
    String text = getNullableString();
    if (text == null) {
      throw new DecodingException("null where a string is required");
    }
    return text;
  }

  /**
   * Reads what {@link Writer#putNullableString} wrote.
   *
   * @return the string, or null
   * @throws DecodingException if it is too long for the message, or not UTF-8
   */
  public @Nullable String getNullableString() {
    int length = getLength("string");
    if (length <= 0) {
      return length < 0 ? null : "";
    }
    long at = advance(length);
    byte[] bytes = length <= scratch.length ? scratch : largerScratch(length);
    return Utf8.read(memory, at, bytes, length);
  }

  private byte[] largerScratch(int length) {
    if (length > SCRATCH_LENGTH) {
      return new byte[length];
    }
    scratch = new byte[SCRATCH_LENGTH];
    return scratch;
  }

  /** Reads a length plus one: -1 for null, else bytes that are there. */
  private int getLength(String what) {
    long length = Integer.toUnsignedLong(getCompactUnsignedInt()) - 1;
    if (length > Math.min(remaining(), MAX_ARRAY_LENGTH)) {
      throw new DecodingException(
          what + " too long: found " + length + " bytes announced, remaining " + remaining());
    }
    return (int) length;
  }

  /**
   * Reads what {@link Writer#putByteArray} wrote.
   *
   * @return a new array
   * @throws DecodingException if it is longer than the message
   */
  public byte[] getByteArray() {
    int length = getLength("byte array");
    if (length < 0) {
      throw new DecodingException("null where a byte array is required");
    }
    byte[] bytes = new byte[length];
    getBytes(bytes, 0, length);
    return bytes;
  }

  /**
   * Reads bytes, zero-copy: the view is read-only and valid as long as the message is, which is
   * during the call of the handler; for a blocking handler it is a copy without that limit.
   *
   * @param length how many, 0 or more
   * @return a segment of exactly that size
   */
  public MemorySegment view(long length) {
    long at = advance(length);
    if (!copyViews) {
      return memory.asSlice(at, length).asReadOnly();
    }
    byte[] copy = new byte[Math.toIntExact(length)];
    int done = Pieces.get(memory, ValueLayout.JAVA_BYTE, at, copy, 0, copy.length);
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at + done, copy, done, copy.length - done);
    return MemorySegment.ofArray(copy).asReadOnly();
  }

  /**
   * Reads bytes.
   *
   * @param target where they go
   * @param index where the first of them goes
   * @param count how many, 0 or more
   */
  public void getBytes(byte[] target, int index, int count) {
    long at = advance(count);
    int done = Pieces.get(memory, ValueLayout.JAVA_BYTE, at, target, index, count);
    MemorySegment.copy(
        memory, ValueLayout.JAVA_BYTE, at + done, target, index + done, count - done);
  }

  /**
   * Reads bytes.
   *
   * @param target where they go
   * @param offset where the first of them goes
   * @param length how many, 0 or more
   */
  public void getBytes(MemorySegment target, long offset, long length) {
    long at = advance(length);
    long done = Pieces.copy(memory, at, target, offset, length);
    MemorySegment.copy(memory, at + done, target, offset + done, length - done);
  }

  /**
   * Reads 1 byte for each value; each must be 0 or 1.
   *
   * @param target where they go
   * @param index where the first of them goes
   * @param count how many, 0 or more
   */
  public void getBooleans(boolean[] target, int index, int count) {
    long at = advance(count);
    for (int i = 0; i < count; i++) {
      target[index + i] = Fixed.getBoolean(memory, at + i);
    }
  }

  /**
   * Reads 2 bytes for each value.
   *
   * @param target where they go
   * @param index where the first of them goes
   * @param count how many, 0 or more
   */
  public void getShorts(short[] target, int index, int count) {
    long at = advance((long) count * Short.BYTES);
    int done = Pieces.get(memory, Fixed.SHORT, at, target, index, count);
    long rest = at + (long) done * Short.BYTES;
    MemorySegment.copy(memory, Fixed.SHORT, rest, target, index + done, count - done);
  }

  /**
   * Reads 2 bytes for each value.
   *
   * @param target where they go
   * @param index where the first of them goes
   * @param count how many, 0 or more
   */
  public void getChars(char[] target, int index, int count) {
    long at = advance((long) count * Character.BYTES);
    int done = Pieces.get(memory, Fixed.CHAR, at, target, index, count);
    long rest = at + (long) done * Character.BYTES;
    MemorySegment.copy(memory, Fixed.CHAR, rest, target, index + done, count - done);
  }

  /**
   * Reads 4 bytes for each value.
   *
   * @param target where they go
   * @param index where the first of them goes
   * @param count how many, 0 or more
   */
  public void getInts(int[] target, int index, int count) {
    long at = advance((long) count * Integer.BYTES);
    int done = Pieces.get(memory, Fixed.INT, at, target, index, count);
    long rest = at + (long) done * Integer.BYTES;
    MemorySegment.copy(memory, Fixed.INT, rest, target, index + done, count - done);
  }

  /**
   * Reads 8 bytes for each value.
   *
   * @param target where they go
   * @param index where the first of them goes
   * @param count how many, 0 or more
   */
  public void getLongs(long[] target, int index, int count) {
    long at = advance((long) count * Long.BYTES);
    int done = Pieces.get(memory, Fixed.LONG, at, target, index, count);
    long rest = at + (long) done * Long.BYTES;
    MemorySegment.copy(memory, Fixed.LONG, rest, target, index + done, count - done);
  }

  /**
   * Reads 4 bytes for each value.
   *
   * @param target where they go
   * @param index where the first of them goes
   * @param count how many, 0 or more
   */
  public void getFloats(float[] target, int index, int count) {
    long at = advance((long) count * Float.BYTES);
    int done = Pieces.get(memory, Fixed.FLOAT, at, target, index, count);
    long rest = at + (long) done * Float.BYTES;
    MemorySegment.copy(memory, Fixed.FLOAT, rest, target, index + done, count - done);
  }

  /**
   * Reads 8 bytes for each value.
   *
   * @param target where they go
   * @param index where the first of them goes
   * @param count how many, 0 or more
   */
  public void getDoubles(double[] target, int index, int count) {
    long at = advance((long) count * Double.BYTES);
    int done = Pieces.get(memory, Fixed.DOUBLE, at, target, index, count);
    long rest = at + (long) done * Double.BYTES;
    MemorySegment.copy(memory, Fixed.DOUBLE, rest, target, index + done, count - done);
  }
}
