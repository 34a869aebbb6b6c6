package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.lang.invoke.MethodHandles;

/**
 * Arrays of numbers: their length in 4 bytes, then their bytes as they are. Only ever used as a
 * hidden class loaded by {@link Templates}.
 */
final class PrimitiveArrayTemplate extends Shape {
  private static final long ONES = 0x0101_0101_0101_0101L;

  private static final ArrayLayout LAYOUT =
      Templates.layout(MethodHandles.lookup(), ArrayLayout.class);
  private static final Class<?> COMPONENT = LAYOUT.component;
  private static final boolean BOOLEANS = LAYOUT.component == boolean.class;
  private static final long BASE = LAYOUT.base;
  private static final int SCALE = LAYOUT.scale;
  private static final Shape SELF = Templates.shape(new PrimitiveArrayTemplate());

  private static final int ORDINAL = SELF.ordinal;

  static {
    LAYOUT.shape = SELF;
  }

  private PrimitiveArrayTemplate() {
    super(LAYOUT.type, LAYOUT.tag, true, true);
  }

  @Override
  long write(Object o, long a, Encoder e) {
    int length = lengthOf(o);
    long bytes = (long) length * SCALE;
    long at = e.require(a, Tags.ROOM + Integer.BYTES + bytes);
    if (e.isTracked()) {
      int number = e.visit(o, contentHash(o));
      if (number >= 0) {
        return Encoder.back(number, at);
      }
    }
    return encodeBody(o, length, bytes, e.tag(SELF, ORDINAL, Integer.BYTES + bytes, at));
  }

  @Override
  long encode(Object o, long a, Encoder e) {
    int length = lengthOf(o);
    long bytes = (long) length * SCALE;
    return encodeBody(o, length, bytes, e.require(a, Integer.BYTES + bytes));
  }

  private static long encodeBody(Object o, int length, long bytes, long a) {
    UNSAFE.putInt(a, length);
    long at = a + Integer.BYTES;
    if (bytes > Raw.SMALL) {
      UNSAFE.copyMemory(o, BASE, null, at, bytes);
    } else {
      Raw.copyOutSmall(o, BASE, at, bytes);
    }
    return at + bytes;
  }

  /** Whatever the component: one method, so that the kind is folded where the class is known. */
  private static int lengthOf(Object o) {
    return java.lang.reflect.Array.getLength(o);
  }

  @Override
  Object decode(Decoder d) {
    long a = d.take(Integer.BYTES);
    int length = UNSAFE.getInt(a);
    long bytes = (long) length * SCALE;
    if (length < 0 || !d.hasArray(length, bytes)) {
      throw d.noSuchLength(length, LAYOUT.type);
    }
    long from = d.take(bytes);
    Object array = UNSAFE.allocateUninitializedArray(COMPONENT, length);
    if (bytes > Raw.SMALL) {
      UNSAFE.copyMemory(null, from, array, BASE, bytes);
    } else {
      Raw.copyInSmall(from, array, BASE, bytes);
    }
    if (BOOLEANS) {
      normalize(array, bytes);
    }
    d.register(array);
    return array;
  }

  /** A boolean that is neither 0 nor 1 breaks assumptions of the JVM. */
  private static void normalize(Object array, long bytes) {
    long at = 0;
    for (; at <= bytes - Long.BYTES; at += Long.BYTES) {
      UNSAFE.putLong(array, BASE + at, UNSAFE.getLong(array, BASE + at) & ONES);
    }
    for (; at < bytes; at++) {
      UNSAFE.putByte(array, BASE + at, (byte) (UNSAFE.getByte(array, BASE + at) & 1));
    }
  }

  @Override
  int contentHash(Object o) {
    long bytes = (long) lengthOf(o) * SCALE;
    if (bytes >= Long.BYTES) {
      long last = UNSAFE.getLong(o, BASE + bytes - Long.BYTES);
      return mix(UNSAFE.getLong(o, BASE) * 31 + Long.rotateLeft(last, 17) + bytes);
    }
    long bits = bytes;
    for (long at = 0; at < bytes; at++) {
      bits = bits << Byte.SIZE | (UNSAFE.getByte(o, BASE + at) & 0xff);
    }
    return mix(bits);
  }
}
