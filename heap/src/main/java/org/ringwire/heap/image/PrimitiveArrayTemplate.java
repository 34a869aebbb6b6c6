package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.lang.invoke.MethodHandles;

/**
 * Arrays of numbers: their length in 4 bytes, then their bytes as they are. Only ever used as a
 * hidden class loaded by {@link Templates}.
 */
final class PrimitiveArrayTemplate extends Shape {
  /** Up to here a loop is faster than a call of the routine that copies memory. */
  private static final long LOOP_BYTES = 64;

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
    long at = e.require(a, Tags.ROOM);
    if (e.isTracked()) {
      int number = e.visit(o, contentHash(o));
      if (number >= 0) {
        return Encoder.back(number, at);
      }
    }
    return encode(o, e.tag(SELF, ORDINAL, at), e);
  }

  @Override
  long encode(Object o, long a, Encoder e) {
    int length = lengthOf(o);
    long bytes = (long) length * SCALE;
    long at = e.require(a, Integer.BYTES + bytes);
    UNSAFE.putInt(at, length);
    at += Integer.BYTES;
    if (bytes > LOOP_BYTES) {
      UNSAFE.copyMemory(o, BASE, null, at, bytes);
    } else {
      copyOut(o, at, bytes);
    }
    return at + bytes;
  }

  /** Whatever the component: one method, so that the kind is folded where the class is known. */
  private static int lengthOf(Object o) {
    return java.lang.reflect.Array.getLength(o);
  }

  private static void copyOut(Object array, long to, long bytes) {
    long at = 0;
    for (; at <= bytes - Long.BYTES; at += Long.BYTES) {
      UNSAFE.putLong(to + at, UNSAFE.getLong(array, BASE + at));
    }
    if ((bytes & Integer.BYTES) != 0) {
      UNSAFE.putInt(to + at, UNSAFE.getInt(array, BASE + at));
      at += Integer.BYTES;
    }
    if ((bytes & Short.BYTES) != 0) {
      UNSAFE.putShort(to + at, UNSAFE.getShort(array, BASE + at));
      at += Short.BYTES;
    }
    if ((bytes & 1) != 0) {
      UNSAFE.putByte(to + at, UNSAFE.getByte(array, BASE + at));
    }
  }

  @Override
  Object decode(Decoder d) {
    int length = d.arrayLength(SCALE, LAYOUT.type);
    long bytes = (long) length * SCALE;
    long from = d.take(bytes);
    Object array = UNSAFE.allocateUninitializedArray(COMPONENT, length);
    if (bytes > LOOP_BYTES) {
      UNSAFE.copyMemory(null, from, array, BASE, bytes);
    } else {
      copyIn(from, array, bytes);
    }
    if (BOOLEANS) {
      normalize(array, bytes);
    }
    d.register(array, SELF);
    return array;
  }

  private static void copyIn(long from, Object array, long bytes) {
    long at = 0;
    for (; at <= bytes - Long.BYTES; at += Long.BYTES) {
      UNSAFE.putLong(array, BASE + at, UNSAFE.getLong(from + at));
    }
    if ((bytes & Integer.BYTES) != 0) {
      UNSAFE.putInt(array, BASE + at, UNSAFE.getInt(from + at));
      at += Integer.BYTES;
    }
    if ((bytes & Short.BYTES) != 0) {
      UNSAFE.putShort(array, BASE + at, UNSAFE.getShort(from + at));
      at += Short.BYTES;
    }
    if ((bytes & 1) != 0) {
      UNSAFE.putByte(array, BASE + at, UNSAFE.getByte(from + at));
    }
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
