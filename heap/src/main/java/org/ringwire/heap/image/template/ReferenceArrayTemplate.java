package org.ringwire.heap.image.template;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.shape.Description;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;

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

  private static final int ORDINAL = SELF.ordinal();

  /** What all elements take if they are as expected, or -1 if that is not fixed. */
  private static final int FIXED_BYTES = EXPECTED == null ? -1 : EXPECTED.fixedBytes();

  /** From one such element to the next, if it is fixed. */
  private static final long STRIDE = 1L + FIXED_BYTES;

  private static final boolean RUNS = EXPECTED != null && EXPECTED.hasRuns();
  private static final int ORDINAL_OF_EXPECTED = EXPECTED == null ? 0 : EXPECTED.ordinal();

  /**
   * Elements read in one turn of a loop. What outlives an allocation is on the stack, so the
   * position is stored and read again for each turn, and each turn waits for the one before.
   */
  private static final int UNROLLED = 4;

  private static final long BASE = LAYOUT.base;
  private static final int SCALE = LAYOUT.scale;

  static {
    LAYOUT.shape = SELF;
  }

  private ReferenceArrayTemplate() {
    super(LAYOUT.type, LAYOUT.tag, Description.of(LAYOUT.type, Description.ARRAY), true, false);
  }

  @Override
  public long write(Object o, long a, Output out) {
    long at = out.require(a, Tags.ROOM);
    if (out.isFull()) {
      return out.putOff(o, at);
    }
    if (out.isTracked()) {
      int number = out.visit(o, 0);
      if (number >= 0) {
        return Output.back(number, at);
      }
    }
    return encode(o, out.tag(SELF, ORDINAL, 0, at), out);
  }

  @Override
  public long encode(Object o, long a, Output out) {
    @Nullable Object[] array = (@Nullable Object[]) o;
    int length = array.length;
    long at = out.require(a, Integer.BYTES);
    UNSAFE.putInt(at, length);
    at += Integer.BYTES;
    out.enter();
    boolean hasBlocks = FIXED_BYTES >= 0 && !out.isTracked();
    boolean hasRuns = RUNS && !out.isTracked();
    for (int i = 0; i < length; ) {
      Object element = array[i];
      if (EXPECTED == null || element == null || element.getClass() != COMPONENT) {
        at = out.reference(element, at);
        i++;
        continue;
      }
      at = EXPECTED.write(element, at, out);
      i++;
      if (hasBlocks) {
        // As many as there is room for: to ask for more would be to ask for what may not come.
        int block = (int) Math.min(length - i, out.room(at) / (1 + FIXED_BYTES));
        int end = encodeBlock(array, i, i + block, at, out.tagOf(ORDINAL_OF_EXPECTED));
        at += (long) (end - i) * (1 + FIXED_BYTES);
        i = end;
      }
      if (hasRuns) {
        i = EXPECTED.encodeRun(array, i, at, out.tagOf(ORDINAL_OF_EXPECTED), out);
        at = out.runEnd();
      }
    }
    out.leave();
    return at;
  }

  /**
   * Writes elements that are all expected, where there is room for them.
   *
   * @return the first that was not written
   */
  private static int encodeBlock(@Nullable Object[] array, int from, int to, long a, int tag) {
    if (EXPECTED == null || tag >= Tags.COUNT) {
      return from;
    }
    long at = a;
    for (int i = from; i < to; i++) {
      if (!encodeElement(array[i], at, tag, EXPECTED)) {
        return i;
      }
      at += 1 + FIXED_BYTES;
    }
    return to;
  }

  /** A method, as it is compiled after some hundred elements, and a loop after many thousand. */
  private static boolean encodeElement(@Nullable Object o, long a, int tag, Shape expected) {
    if (o == null || o.getClass() != COMPONENT) {
      return false;
    }
    UNSAFE.putByte(a, (byte) tag);
    expected.encodeFixed(o, a + 1);
    return true;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // shapes are compared by identity
  public Object decode(Input in) {
    int length = in.arrayLength(1, LAYOUT.type);
    in.open(length);
    @Nullable Object[] array = (@Nullable Object[]) Array.newInstance(COMPONENT, length);
    in.register(array);
    boolean hasBlocks = FIXED_BYTES >= 0 && !in.isTracked();
    boolean hasRuns = RUNS && !in.isTracked();
    for (int i = 0; i < length; i++) {
      boolean isInOnePiece = hasBlocks && in.here() > FIXED_BYTES;
      int tag = hasRuns ? UNSAFE.getByte(in.peek(1)) : 0;
      Shape shape = in.shape();
      if (EXPECTED != null && shape == EXPECTED) {
        UNSAFE.putReference(array, offsetOf(i), EXPECTED.decode(in));
        if (isInOnePiece) {
          i = decodeBlock(array, i + 1, in) - 1;
        }
        if (hasRuns) {
          i = EXPECTED.decodeRun(array, i + 1, tag, in) - 1;
        }
      } else {
        decodeOther(array, i, shape, in);
      }
    }
    in.close(length);
    return array;
  }

  /**
   * Reads elements as long as they are as expected, with one look at the limits for all of them.
   * The element before, tag and all, lies in one piece in front of them. Its tag is read again:
   * memory that a sender changes meanwhile changes which tag that is, and not what is stored.
   *
   * @return the first that was not read
   */
  private static int decodeBlock(@Nullable Object[] array, int from, Input in) {
    int to = (int) Math.min(array.length, from + Math.min(in.here() / STRIDE, in.groups(1)));
    long start = in.take(0);
    long at = start;
    int i = from;
    if (EXPECTED != null) {
      int tag = UNSAFE.getByte(start - STRIDE); // that of the element before
      for (; i <= to - UNROLLED && decodeFour(array, i, at, tag, EXPECTED); i += UNROLLED) {
        at += UNROLLED * STRIDE;
      }
      for (; i < to && decodeElement(array, i, at, tag, EXPECTED); i++) {
        at += STRIDE;
      }
    }
    in.passed(i - from, at);
    return i;
  }

  private static boolean decodeFour(
      @Nullable Object[] array, int index, long a, int tag, Shape expected) {
    if (!areAll(tag, a)) {
      return false;
    }
    UNSAFE.putReference(array, offsetOf(index), expected.decodeFixed(a + 1));
    UNSAFE.putReference(array, offsetOf(index + 1), expected.decodeFixed(a + STRIDE + 1));
    UNSAFE.putReference(array, offsetOf(index + 2), expected.decodeFixed(a + 2 * STRIDE + 1));
    UNSAFE.putReference(array, offsetOf(index + 3), expected.decodeFixed(a + 3 * STRIDE + 1));
    return true;
  }

  private static boolean areAll(int tag, long at) {
    return UNSAFE.getByte(at) == tag
        && UNSAFE.getByte(at + STRIDE) == tag
        && UNSAFE.getByte(at + 2 * STRIDE) == tag
        && UNSAFE.getByte(at + 3 * STRIDE) == tag;
  }

  private static boolean decodeElement(
      @Nullable Object[] array, int index, long a, int tag, Shape expected) {
    if (UNSAFE.getByte(a) != tag) {
      return false;
    }
    UNSAFE.putReference(array, offsetOf(index), expected.decodeFixed(a + 1));
    return true;
  }

  /** Where an element is: what is of exactly the component type is stored without another look. */
  private static long offsetOf(int index) {
    return BASE + (long) index * SCALE;
  }

  private static void decodeOther(@Nullable Object[] array, int index, Shape shape, Input in) {
    Object element = shape.decode(in);
    if (element == null) {
      return;
    }
    if (Input.isLater(element) || !COMPONENT.isInstance(element)) {
      in.cannotStoreNow(array, index, element);
      return;
    }
    array[index] = element;
  }
}
