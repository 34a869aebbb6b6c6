package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * Arrays of references: their length in 4 bytes, then the elements, each with its tag. Only ever
 * used as a hidden class loaded by {@link Templates}.
 */
final class ReferenceArrayTemplate extends Shape {
  private static final ArrayLayout LAYOUT =
      Templates.layout(MethodHandles.lookup(), ArrayLayout.class);
  private static final Class<?> COMPONENT = LAYOUT.component;
  private static final @Nullable Shape EXPECTED = LAYOUT.expected;
  private static final Shape SELF = Templates.shape(new ReferenceArrayTemplate());

  static {
    LAYOUT.shape = SELF;
  }

  private ReferenceArrayTemplate() {
    super(LAYOUT.type, LAYOUT.tag, Description.of(LAYOUT.type, Description.ARRAY), true, false);
  }

  @Override
  long encode(Object o, long a, Encoder e) {
    @Nullable Object[] array = (@Nullable Object[]) o;
    long at = e.require(a, Integer.BYTES);
    UNSAFE.putInt(at, array.length);
    at += Integer.BYTES;
    e.enter();
    for (Object element : array) {
      if (EXPECTED != null && element != null && element.getClass() == COMPONENT) {
        at = e.object(element, EXPECTED, at);
      } else {
        at = e.reference(element, at);
      }
    }
    e.leave();
    return at;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // shapes are compared by identity
  Object decode(Decoder d) {
    int length = d.arrayLength(1, LAYOUT.type);
    @Nullable Object[] array = (@Nullable Object[]) Array.newInstance(COMPONENT, length);
    d.register(array, SELF);
    d.enter();
    for (int i = 0; i < length; i++) {
      Shape shape = d.shape();
      if (EXPECTED != null && shape == EXPECTED) {
        array[i] = EXPECTED.decode(d);
      } else {
        decodeOther(array, i, shape, d);
      }
    }
    d.leave();
    return array;
  }

  private static void decodeOther(@Nullable Object[] array, int index, Shape shape, Decoder d) {
    Object element = shape.decode(d);
    if (element == null) {
      return;
    }
    if (Decoder.isLater(element) || !COMPONENT.isInstance(element)) {
      d.cannotStoreNow(array, index, element);
      return;
    }
    array[index] = element;
  }
}
