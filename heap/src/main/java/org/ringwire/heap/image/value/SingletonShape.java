package org.ringwire.heap.image.value;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;

/** Objects of the platform of which every JVM has one: a byte says which. */
public final class SingletonShape extends Shape {
  /** The order is part of the format. */
  private static final List<Object> ALL =
      List.of(
          String.CASE_INSENSITIVE_ORDER,
          Comparator.naturalOrder(),
          Collections.reverseOrder(),
          Collections.EMPTY_LIST,
          Collections.EMPTY_SET,
          Collections.EMPTY_MAP,
          Collections.emptyIterator());

  private final int index;

  private SingletonShape(int index) {
    super(ALL.get(index).getClass(), Tags.SINGLETON, false, true);
    this.index = index;
  }

  /** One for each of them. */
  public static List<Shape> all() {
    List<Shape> shapes = new ArrayList<>();
    for (int i = 0; i < ALL.size(); i++) {
      shapes.add(new SingletonShape(i));
    }
    return shapes;
  }

  /** The tag is that of all of them. */
  @Override
  public boolean isExact() {
    return false;
  }

  @Override
  public long encode(Object o, long a, Output out) {
    long at = out.require(a, 1);
    UNSAFE.putByte(at, (byte) index);
    return at + 1;
  }

  @Override
  public @Nullable Object decode(Input in) {
    int sent = UNSAFE.getByte(in.take(1)) & 0xff;
    if (sent >= ALL.size()) {
      throw new DecodingException("no such singleton: number=" + sent);
    }
    return ALL.get(sent);
  }
}
