package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.Collection;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Refusal;
import org.ringwire.heap.image.shape.Shape;

/**
 * {@link EnumSet}: the number of constants in 4 bytes, their class, the constants. None of these
 * can refer to the set, so it is made at the end.
 */
final class EnumSetShape extends Shape {
  private final long elementType = Raw.offsetOf(EnumSet.class, "elementType");

  private EnumSetShape(Class<?> type, int tag) {
    super(type, tag, true, false);
  }

  /**
   * That of a class of sets: there is one for enums of up to 64 constants, and one for larger ones.
   * By name, since to make a set asks an enum for its constants, and loads what reflection needs.
   */
  static Shape of(String className, int tag) {
    try {
      return new EnumSetShape(Class.forName(className, false, null), tag);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a JVM without a class of sets", e);
    }
  }

  /** What is received is of the one class or the other, by its constants. */
  @Override
  public boolean isExact() {
    return false;
  }

  @Override
  public long encode(Object o, long a, Output out) {
    Object[] constants = ((Collection<?>) o).toArray();
    long at = out.require(a, Integer.BYTES);
    UNSAFE.putInt(at, constants.length);
    out.enter();
    at = out.reference(UNSAFE.getReference(o, elementType), at + Integer.BYTES);
    for (Object constant : constants) {
      at = out.reference(constant, at);
    }
    out.leave();
    return at;
  }

  @Override
  public Object decode(Input in) {
    int count = in.arrayLength(1, type());
    in.enter();
    if (!(in.shape().decode(in) instanceof Class<?> c) || !c.isEnum()) {
      throw new DecodingException("no class of constants: class=" + type().getName());
    }
    Object set = fill(c, count, in);
    in.leave();
    in.register(set);
    return set;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Object fill(Class<?> constants, int count, Input in) {
    EnumSet set;
    try {
      set = EnumSet.noneOf(constants.asSubclass(Enum.class));
    } catch (LinkageError e) {
      throw Refusal.ofEnum(constants, e);
    } catch (ClassCastException e) { // it has no constants as long as its initialiser runs
      throw Refusal.of("a set cannot be made: class=" + constants.getName(), e);
    }
    for (int i = 0; i < count; i++) {
      @Nullable Object constant = in.shape().decode(in);
      if (!(constant instanceof Enum<?> e) || e.getDeclaringClass() != constants) {
        throw new DecodingException("not a constant of the set: class=" + constants.getName());
      }
      set.add(e);
    }
    return set;
  }
}
