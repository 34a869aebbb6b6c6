package org.ringwire.heap.image.template;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.invoke.MethodHandles;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;

/**
 * Arrays of numbers: their length in 4 bytes, then their bytes as they are. Only ever used as a
 * hidden class loaded by {@link Templates}.
 */
final class PrimitiveArrayTemplate extends Shape {
  private static final long ONES = 0x0101_0101_0101_0101L;

  /** Shorter arrays are never handed out on their own. */
  private static final int LEAST_BULK = 1024;

  /** Bytes that an array has at first whose end has yet to come. */
  private static final int FIRST_PIECE = 1 << 20;

  private static final ArrayLayout LAYOUT =
      Templates.layout(MethodHandles.lookup(), ArrayLayout.class);
  private static final Class<?> COMPONENT = LAYOUT.component;
  private static final boolean BOOLEANS = LAYOUT.component == boolean.class;
  private static final long BASE = LAYOUT.base;
  private static final int SCALE = LAYOUT.scale;
  private static final Shape SELF = Templates.shape(new PrimitiveArrayTemplate());

  /** Every image knows it. */
  private static final int TAG = LAYOUT.tag;

  static {
    LAYOUT.shape = SELF;
  }

  private PrimitiveArrayTemplate() {
    super(LAYOUT.type, LAYOUT.tag, true, true);
  }

  @Override
  public long write(Object o, long a, Output out) {
    int length = lengthOf(o);
    long bytes = (long) length * SCALE;
    if (bytes > LEAST_BULK && out.isBulk(bytes)) {
      return writeBulk(o, length, bytes, a, out);
    }
    long most = Tags.ROOM + Integer.BYTES + bytes;
    long at = out.require(a, out.isTracked() ? Tags.ROOM : most);
    if (out.isTracked()) {
      int number = out.visit(o, contentHash(o));
      if (number >= 0) {
        return Output.back(number, at);
      }
      at = out.require(at, most);
    }
    UNSAFE.putByte(at, (byte) TAG);
    return encodeBody(o, length, bytes, at + 1);
  }

  private static long writeBulk(Object o, int length, long bytes, long a, Output out) {
    long at = out.require(a, Tags.ROOM + Integer.BYTES);
    if (out.isTracked()) {
      int number = out.visit(o, SELF.contentHash(o));
      if (number >= 0) {
        return Output.back(number, at);
      }
    }
    UNSAFE.putByte(at, (byte) TAG);
    UNSAFE.putInt(at + 1, length);
    return out.bulk(o, BASE, bytes, at + 1 + Integer.BYTES);
  }

  @Override
  public long encode(Object o, long a, Output out) {
    int length = lengthOf(o);
    long bytes = (long) length * SCALE;
    return encodeBody(o, length, bytes, out.require(a, Integer.BYTES + bytes));
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
  public Object decode(Input in) {
    long a = in.peek(Integer.BYTES);
    int length = UNSAFE.getInt(a);
    long bytes = (long) length * SCALE;
    if (!in.isTracked()) {
      in.number();
    }
    Object array =
        in.passArray(length, Integer.BYTES + bytes)
            ? whole(length, bytes, a + Integer.BYTES)
            : inPieces(length, bytes, in);
    if (BOOLEANS) {
      normalize(array, bytes);
    }
    if (in.isTracked()) {
      in.register(array);
    }
    return array;
  }

  @Override
  public int smallScale() {
    return BOOLEANS ? 0 : SCALE;
  }

  @Override
  protected int smallLength(int number) {
    return number >= 0 && number <= Raw.SMALL / SCALE ? number : -1;
  }

  @Override
  protected int lengthIfSmall(Object o) {
    return smallLength(lengthOf(o));
  }

  @Override
  protected long encodeSmall(Object o, int length, long a) {
    long bytes = (long) length * SCALE;
    UNSAFE.putInt(a, length);
    Raw.copyOutSmall(o, BASE, a + Integer.BYTES, bytes);
    return a + Integer.BYTES + bytes;
  }

  @Override
  protected Object decodeSmall(int length, long a) {
    int known = length & Raw.SMALL_MASK; // spares a look whether it is huge
    Object array = UNSAFE.allocateUninitializedArray(COMPONENT, known);
    Raw.copyInSmall(a, array, BASE, (long) known * SCALE);
    return array;
  }

  private static Object whole(int length, long bytes, long from) {
    Object array = UNSAFE.allocateUninitializedArray(COMPONENT, length);
    if (bytes > Raw.SMALL) {
      UNSAFE.copyMemory(null, from, array, BASE, bytes);
    } else {
      Raw.copyInSmall(from, array, BASE, bytes);
    }
    return array;
  }

  /** An array whose end has yet to come grows with what arrives, up to four times at once. */
  private static Object inPieces(int length, long bytes, Input in) {
    if (length < 0 || !in.hasArray(length, Integer.BYTES + bytes)) {
      throw in.noSuchLength(length, LAYOUT.type);
    }
    in.take(Integer.BYTES);
    int room = Math.min(length, FIRST_PIECE / SCALE);
    Object array = UNSAFE.allocateUninitializedArray(COMPONENT, room);
    long done = 0;
    while (done < bytes) {
      long roomBytes = (long) room * SCALE;
      if (done == roomBytes) {
        room = (int) Math.min(length, 4L * room);
        Object larger = UNSAFE.allocateUninitializedArray(COMPONENT, room);
        UNSAFE.copyMemory(array, BASE, larger, BASE, done);
        array = larger;
        roomBytes = (long) room * SCALE;
      }
      long part = in.here(roomBytes - done);
      UNSAFE.copyMemory(null, in.take(part), array, BASE + done, part);
      done += part;
    }
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
  public int contentHash(Object o) {
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
