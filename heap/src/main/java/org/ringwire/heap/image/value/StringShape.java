package org.ringwire.heap.image.value;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.nio.charset.StandardCharsets;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;

/**
 * Strings: 4 bytes with the number of bytes, doubled, plus 1 if they are UTF-16; then the bytes as
 * the JVM holds them. What arrives as UTF-16 passes through a constructor, so that a string has one
 * form only, whatever the sender's JVM prefers.
 */
public final class StringShape extends Shape {
  /** The one that there is. */
  public static final StringShape INSTANCE = new StringShape();

  private static final long VALUE = Raw.offsetOf(String.class, "value");
  private static final long CODER = Raw.offsetOf(String.class, "coder");
  private static final long BYTES = UNSAFE.arrayBaseOffset(byte[].class);
  private static final byte LATIN1 = 0;
  private static final boolean IS_COMPACT = UNSAFE.getByte("a", CODER) == LATIN1;

  private StringShape() {
    super(String.class, Tags.STRING, true, true);
  }

  private static byte[] bytesOf(Object string) {
    return (byte[]) UNSAFE.getReference(string, VALUE);
  }

  @Override
  public long write(Object o, long a, Output out) {
    byte[] value = bytesOf(o);
    long most = Tags.ROOM + Integer.BYTES + (long) value.length;
    long at = out.require(a, out.isTracked() ? Tags.ROOM : most);
    if (out.isTracked()) {
      int number = out.visit(o, contentHash(o));
      if (number >= 0) {
        return Output.back(number, at);
      }
      at = out.require(at, most);
    }
    UNSAFE.putByte(at, (byte) Tags.STRING);
    return encodeBody(o, value, at + 1);
  }

  @Override
  public long encode(Object o, long a, Output out) {
    byte[] value = bytesOf(o);
    return encodeBody(o, value, out.require(a, Integer.BYTES + (long) value.length));
  }

  private static long encodeBody(Object o, byte[] value, long a) {
    int length = value.length;
    UNSAFE.putInt(a, length << 1 | UNSAFE.getByte(o, CODER));
    long at = a + Integer.BYTES;
    if (length > Raw.SMALL) {
      UNSAFE.copyMemory(value, BYTES, null, at, length);
    } else {
      Raw.copyOutSmall(value, BYTES, at, length);
    }
    return at + length;
  }

  @Override
  public Object decode(Input in) {
    int word = UNSAFE.getInt(in.take(Integer.BYTES));
    int length = word >>> 1;
    long from = in.take(length);
    String string = (word & 1) == LATIN1 ? latin1(from, length) : utf16(from, length);
    in.register(string);
    return string;
  }

  @Override
  public int smallScale() {
    return 1;
  }

  @Override
  protected int smallLength(int number) {
    int length = number >>> 1;
    return (number & 1) == LATIN1 && length <= Raw.SMALL ? length : -1;
  }

  @Override
  protected int lengthIfSmall(Object o) {
    int length = bytesOf(o).length;
    return UNSAFE.getByte(o, CODER) == LATIN1 && length <= Raw.SMALL ? length : -1;
  }

  @Override
  protected long encodeSmall(Object o, int length, long a) {
    UNSAFE.putInt(a, length << 1 | LATIN1);
    Raw.copyOutSmall(bytesOf(o), BYTES, a + Integer.BYTES, length);
    return a + Integer.BYTES + length;
  }

  @Override
  protected Object decodeSmall(int length, long a) {
    return latin1(a, length & Raw.SMALL_MASK);
  }

  private static String latin1(long from, int length) {
    byte[] value = (byte[]) UNSAFE.allocateUninitializedArray(byte.class, length);
    if (length > Raw.SMALL) {
      UNSAFE.copyMemory(null, from, value, BYTES, length);
    } else {
      Raw.copyInSmall(from, value, BYTES, length);
    }
    return IS_COMPACT ? wrap(value) : new String(value, StandardCharsets.ISO_8859_1);
  }

  /** A string around bytes that nobody else has: its other fields are right when they are 0. */
  private static String wrap(byte[] value) {
    try {
      Object string = UNSAFE.allocateInstance(String.class);
      UNSAFE.putReference(string, VALUE, value);
      return (String) string;
    } catch (InstantiationException e) {
      throw new IllegalStateException("no string can be made", e);
    }
  }

  private static String utf16(long from, int length) {
    if ((length & 1) != 0) {
      throw new DecodingException("half a character at the end of a string: bytes=" + length);
    }
    char[] chars = new char[length / Character.BYTES];
    UNSAFE.copyMemory(null, from, chars, UNSAFE.arrayBaseOffset(char[].class), length);
    return new String(chars);
  }

  @Override
  public int contentHash(Object o) {
    byte[] value = bytesOf(o);
    int length = value.length;
    Object bytes = value;
    if (length >= Long.BYTES) {
      long last = UNSAFE.getLong(bytes, BYTES + length - Long.BYTES);
      return mix(UNSAFE.getLong(bytes, BYTES) * 31 + Long.rotateLeft(last, 17) + length);
    }
    long bits = length;
    for (int at = 0; at < length; at++) {
      bits = bits << Byte.SIZE | (value[at] & 0xff);
    }
    return mix(bits);
  }
}
