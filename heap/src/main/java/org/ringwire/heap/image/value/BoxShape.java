package org.ringwire.heap.image.value;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.List;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;

/** Boxes: 8 bytes with the value. They arrive as {@code valueOf} makes them. */
public final class BoxShape extends Shape {

  private BoxShape(Class<?> type, int tag) {
    super(type, tag, true, true);
  }

  /** One for each class of boxes. */
  public static List<Shape> all() {
    return List.of(
        new BoxShape(Boolean.class, Tags.BOOLEAN),
        new BoxShape(Byte.class, Tags.BYTE),
        new BoxShape(Character.class, Tags.CHARACTER),
        new BoxShape(Short.class, Tags.SHORT),
        new BoxShape(Integer.class, Tags.INTEGER),
        new BoxShape(Long.class, Tags.LONG),
        new BoxShape(Float.class, Tags.FLOAT),
        new BoxShape(Double.class, Tags.DOUBLE));
  }

  private long bitsOf(Object o) {
    return switch (tag()) {
      case Tags.BOOLEAN -> ((Boolean) o) ? 1 : 0;
      case Tags.BYTE -> (Byte) o;
      case Tags.CHARACTER -> (Character) o;
      case Tags.SHORT -> (Short) o;
      case Tags.INTEGER -> (Integer) o;
      case Tags.LONG -> (Long) o;
      case Tags.FLOAT -> Float.floatToRawIntBits((Float) o);
      default -> Double.doubleToRawLongBits((Double) o);
    };
  }

  private Object valueOf(long bits) {
    return switch (tag()) {
      case Tags.BOOLEAN -> bits != 0;
      case Tags.BYTE -> (byte) bits;
      case Tags.CHARACTER -> (char) bits;
      case Tags.SHORT -> (short) bits;
      case Tags.INTEGER -> (int) bits;
      case Tags.LONG -> bits;
      case Tags.FLOAT -> Float.intBitsToFloat((int) bits);
      default -> Double.longBitsToDouble(bits);
    };
  }

  @Override
  public long encode(Object o, long a, Output out) {
    long at = out.require(a, Long.BYTES);
    UNSAFE.putLong(at, bitsOf(o));
    return at + Long.BYTES;
  }

  @Override
  public Object decode(Input in) {
    Object box = valueOf(UNSAFE.getLong(in.take(Long.BYTES)));
    in.register(box);
    return box;
  }

  @Override
  public int contentHash(Object o) {
    return mix(bitsOf(o));
  }
}
