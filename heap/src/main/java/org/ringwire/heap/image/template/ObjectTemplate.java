package org.ringwire.heap.image.template;

import static java.lang.invoke.MethodHandles.lookup;
import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Slot;
import org.ringwire.heap.image.shape.Tags;
import org.ringwire.heap.image.template.ObjectLayout.Word;

/**
 * Objects of an ordinary class: words of primitive fields, then references, each with its tag. Only
 * ever used as a hidden class loaded by {@link Templates}, so that all of the following are
 * constants and what a class does not have costs nothing.
 */
final class ObjectTemplate extends Shape {
  private static final ObjectLayout LAYOUT = Templates.layout(lookup(), ObjectLayout.class);
  private static final Shape SELF = Templates.shape(new ObjectTemplate());
  private static final Class<?> TYPE = LAYOUT.type;
  private static final int ORDINAL = SELF.ordinal();
  private static final int WORDS = LAYOUT.words.size();
  private static final int WORD_BYTES = LAYOUT.wordBytes;
  private static final Word W0 = LAYOUT.word(0);
  private static final Word W1 = LAYOUT.word(1);
  private static final Word W2 = LAYOUT.word(2);
  private static final Word W3 = LAYOUT.word(3);
  private static final Word W4 = LAYOUT.word(4);
  private static final Word W5 = LAYOUT.word(5);
  private static final Word W6 = LAYOUT.word(6);
  private static final Word W7 = LAYOUT.word(7);
  private static final List<Word> MORE_WORDS = LAYOUT.words;
  private static final int SLOTS = LAYOUT.slots.size();
  private static final Slot R0 = LAYOUT.slot(0);
  private static final Slot R1 = LAYOUT.slot(1);
  private static final Slot R2 = LAYOUT.slot(2);
  private static final Slot R3 = LAYOUT.slot(3);
  private static final Slot R4 = LAYOUT.slot(4);
  private static final Slot R5 = LAYOUT.slot(5);
  private static final List<Slot> MORE_SLOTS = LAYOUT.slots;
  private static final boolean LEAF = LAYOUT.isLeaf();
  private static final boolean VALIDATED = SELF.isValidated();
  private static final boolean FIXED = LAYOUT.slots.isEmpty() && !VALIDATED;

  /** Whether objects may be made after all that they refer to, where nothing refers to them. */
  private static final boolean CHILDREN_FIRST =
      LEAF && SLOTS > 0 && SLOTS <= 3 && WORDS <= 3 && !VALIDATED;

  private static final @Nullable Shape E0 = LAYOUT.expected(0, SELF);
  private static final @Nullable Shape E1 = LAYOUT.expected(1, SELF);
  private static final @Nullable Shape E2 = LAYOUT.expected(2, SELF);
  private static final @Nullable Shape E3 = LAYOUT.expected(3, SELF);
  private static final @Nullable Shape E4 = LAYOUT.expected(4, SELF);
  private static final @Nullable Shape E5 = LAYOUT.expected(5, SELF);
  private static final int S0 = E0 == null ? 0 : E0.smallScale();
  private static final int S1 = E1 == null ? 0 : E1.smallScale();
  private static final int S2 = E2 == null ? 0 : E2.smallScale();
  private static final int T0 = E0 == null ? 0 : E0.tag();
  private static final int T1 = E1 == null ? 0 : E1.tag();
  private static final int T2 = E2 == null ? 0 : E2.tag();

  /** Whether all that follows an object in an array may be small, and so read with few checks. */
  private static final boolean RUNS =
      CHILDREN_FIRST && S0 > 0 && (SLOTS < 2 || S1 > 0) && (SLOTS < 3 || S2 > 0);

  /** What an object takes at most if all references are small, with its tag. */
  private static final long MOST_BYTES = 1 + WORD_BYTES + SLOTS * (SMALL_FRONT + Raw.SMALL);

  static {
    LAYOUT.shape = SELF;
  }

  private ObjectTemplate() {
    super(LAYOUT.type, LAYOUT.tag, LAYOUT.description, true, LAYOUT.isLeaf());
  }

  @Override
  public int fixedBytes() {
    return FIXED ? WORD_BYTES : -1;
  }

  @Override
  public long encodeFixed(Object o, long a) {
    return encodeWords(o, a);
  }

  @Override
  public Object decodeFixed(long a) {
    Object o = Raw.allocate(TYPE);
    decodeWords(o, a);
    return o;
  }

  @Override
  public long write(Object o, long a, Output out) {
    long at = out.require(a, out.isTracked() ? Tags.ROOM : Tags.ROOM + WORD_BYTES);
    if (!LEAF && out.isFull()) {
      return out.putOff(o, at);
    }
    if (out.isTracked()) {
      int number = out.visit(o, contentHash(o));
      if (number >= 0) {
        return Output.back(number, at);
      }
      at = out.require(at, Tags.ROOM + WORD_BYTES);
    }
    return encodeBody(o, out.tag(SELF, ORDINAL, WORD_BYTES, at), out);
  }

  @Override
  public long encode(Object o, long a, Output out) {
    return encodeBody(o, out.require(a, WORD_BYTES), out);
  }

  private static long encodeBody(Object o, long a, Output out) {
    long at = encodeWords(o, a);
    if (SLOTS > 0) {
      if (LEAF) {
        return encodeSlots(o, at, out);
      }
      out.enter();
      at = encodeSlots(o, at, out);
      out.leave();
    }
    return at;
  }

  private static long encodeWords(Object o, long a) {
    long at = a;
    if (WORDS > 0) {
      at = W0.copyOut(o, at);
    }
    if (WORDS > 1) {
      at = W1.copyOut(o, at);
    }
    if (WORDS > 2) {
      at = W2.copyOut(o, at);
    }
    if (WORDS > 3) {
      at = W3.copyOut(o, at);
    }
    return WORDS > 4 ? encodeMoreWords(o, at) : at;
  }

  private static long encodeMoreWords(Object o, long a) {
    long at = W4.copyOut(o, a);
    if (WORDS > 5) {
      at = W5.copyOut(o, at);
    }
    if (WORDS > 6) {
      at = W6.copyOut(o, at);
    }
    if (WORDS > 7) {
      at = W7.copyOut(o, at);
    }
    for (int i = 8; i < WORDS; i++) {
      at = MORE_WORDS.get(i).copyOut(o, at);
    }
    return at;
  }

  private static long encodeSlots(Object o, long a, Output out) {
    long at = encodeSlot(o, R0, E0, a, out);
    if (SLOTS > 1) {
      at = encodeSlot(o, R1, E1, at, out);
    }
    if (SLOTS > 2) {
      at = encodeSlot(o, R2, E2, at, out);
    }
    return SLOTS > 3 ? encodeMoreSlots(o, at, out) : at;
  }

  private static long encodeMoreSlots(Object o, long a, Output out) {
    long at = encodeSlot(o, R3, E3, a, out);
    if (SLOTS > 4) {
      at = encodeSlot(o, R4, E4, at, out);
    }
    if (SLOTS > 5) {
      at = encodeSlot(o, R5, E5, at, out);
    }
    for (int i = 6; i < SLOTS; i++) {
      Slot slot = MORE_SLOTS.get(i);
      at = encodeSlot(o, slot, slot.expected(), at, out);
    }
    return at;
  }

  private static long encodeSlot(
      Object o, Slot slot, @Nullable Shape expected, long a, Output out) {
    Object child = UNSAFE.getReference(o, slot.offset());
    if (expected != null && child != null && child.getClass() == slot.declared()) {
      return expected.write(child, a, out);
    }
    return out.reference(child, a);
  }

  /** Per element a method: it is compiled after some hundred, a loop after many thousand. */
  @Override
  public int encodeRun(@Nullable Object[] array, int from, long a, int tag, Output out) {
    long most = tag < Tags.COUNT ? out.room(a) / MOST_BYTES : 0;
    int to = (int) Math.min(array.length, from + most);
    long at = a;
    int i = from;
    for (; i < to; i++) {
      long next = encodeElement(array[i], at, tag);
      if (next == at) {
        break;
      }
      at = next;
    }
    out.endRun(at);
    return i;
  }

  /** References are read once: others may change them meanwhile. */
  private static long encodeElement(@Nullable Object o, long a, int tag) {
    if (o == null || o.getClass() != TYPE) {
      return a;
    }
    Object c0 = UNSAFE.getReference(o, R0.offset());
    Object c1 = SLOTS > 1 ? UNSAFE.getReference(o, R1.offset()) : null;
    Object c2 = SLOTS > 2 ? UNSAFE.getReference(o, R2.offset()) : null;
    int n0 = lengthIfSmall(E0, R0.declared(), c0);
    int n1 = SLOTS > 1 && n0 >= 0 ? lengthIfSmall(E1, R1.declared(), c1) : n0;
    int n2 = SLOTS > 2 && n1 >= 0 ? lengthIfSmall(E2, R2.declared(), c2) : n1;
    if (n2 < 0) {
      return a;
    }
    UNSAFE.putByte(a, (byte) tag);
    long at = encodeWords(o, a + 1);
    at = encodeSmall(E0, T0, c0, n0, at);
    at = SLOTS > 1 ? encodeSmall(E1, T1, c1, n1, at) : at;
    return SLOTS > 2 ? encodeSmall(E2, T2, c2, n2, at) : at;
  }

  @Override
  public Object decode(Input in) {
    if (CHILDREN_FIRST && !in.isTracked()) {
      return decodeChildrenFirst(in);
    }
    long a = in.take(WORD_BYTES);
    Object o = Raw.allocate(TYPE);
    in.register(o);
    if (VALIDATED) {
      in.validateLater(o);
    }
    decodeWords(o, a);
    if (SLOTS > 0) {
      if (!LEAF) {
        in.enter();
      }
      decodeSlots(o, in);
      if (!LEAF) {
        in.leave();
      }
    }
    return o;
  }

  /**
   * Reads all that belongs to an object before it is allocated. Its stores then follow its
   * allocation at once, so that the compiler of the JVM neither zeroes it nor marks its card.
   */
  private static Object decodeChildrenFirst(Input in) {
    long a = in.take(WORD_BYTES);
    in.number();
    long w0 = WORDS > 0 ? W0.read(a) : 0;
    long w1 = WORDS > 1 ? W1.read(a + W0.size()) : 0;
    long w2 = WORDS > 2 ? W2.read(a + W0.size() + W1.size()) : 0;
    Shape shape = in.shape();
    if (isOther(shape, E0)) {
      return decodeRest(make(w0, w1, w2, null, null, null), 0, shape, in);
    }
    Object c0 = decodeExpected(shape, E0, in);
    Object c1 = null;
    Object c2 = null;
    if (SLOTS > 1) {
      shape = in.shape();
      if (isOther(shape, E1)) {
        return decodeRest(make(w0, w1, w2, c0, null, null), 1, shape, in);
      }
      c1 = decodeExpected(shape, E1, in);
    }
    if (SLOTS > 2) {
      shape = in.shape();
      if (isOther(shape, E2)) {
        return decodeRest(make(w0, w1, w2, c0, c1, null), 2, shape, in);
      }
      c2 = decodeExpected(shape, E2, in);
    }
    return make(w0, w1, w2, c0, c1, c2);
  }

  @Override
  public boolean hasRuns() {
    return RUNS;
  }

  /**
   * One look at the end of the image per object: there are as many bytes as it can have. The last
   * objects of an image, and all that are larger or other than expected, are left to {@link
   * #decode}. What has to outlive an allocation is on the stack, so as little as possible does: an
   * address that can be calculated again is.
   */
  @Override
  public int decodeRun(@Nullable Object[] array, int from, int tag, Input in) {
    int to = from + Math.min(array.length - from, in.groups(1 + SLOTS));
    long at = in.take(0);
    long last = at + in.here() - MOST_BYTES;
    int i = from;
    for (; i < to && at <= last; i++) {
      long next = decodeElement(array, i, at, tag);
      if (next == at) {
        break;
      }
      at = next;
    }
    in.passed((i - from) * (1 + SLOTS), at);
    return i;
  }

  /** A method for the reason of {@link #encodeElement}. */
  private static long decodeElement(@Nullable Object[] array, int index, long at, int tag) {
    if (UNSAFE.getByte(at) != tag) {
      return at;
    }
    int n0 = lengthOfSmall(E0, T0, slot0(at));
    int n1 = SLOTS > 1 && n0 >= 0 ? lengthOfSmall(E1, T1, slot1(at, n0)) : n0;
    int n2 = SLOTS > 2 && n1 >= 0 ? lengthOfSmall(E2, T2, slot2(at, n0, n1)) : n1;
    if (n2 < 0) {
      return at;
    }
    Object c0 = smallOf(E0, n0, slot0(at));
    Object c1 = SLOTS > 1 ? smallOf(E1, n1, slot1(at, n0)) : null;
    Object c2 = SLOTS > 2 ? smallOf(E2, n2, slot2(at, n0, n1)) : null;
    Raw.putElement(array, index, makeFrom(at + 1, c0, c1, c2));
    return behind(at, n0, n1, n2);
  }

  private static long slot0(long a) {
    return a + 1 + WORD_BYTES;
  }

  private static long slot1(long a, int n0) {
    return slot0(a) + SMALL_FRONT + (long) n0 * S0;
  }

  private static long slot2(long a, int n0, int n1) {
    return slot1(a, n0) + SMALL_FRONT + (long) n1 * S1;
  }

  private static long behind(long a, int n0, int n1, int n2) {
    if (SLOTS == 1) {
      return slot1(a, n0);
    }
    return SLOTS == 2 ? slot2(a, n0, n1) : slot2(a, n0, n1) + SMALL_FRONT + (long) n2 * S2;
  }

  /** The words are read last: an allocation in between would separate them from their stores. */
  private static Object makeFrom(
      long a, @Nullable Object c0, @Nullable Object c1, @Nullable Object c2) {
    long w0 = WORDS > 0 ? W0.read(a) : 0;
    long w1 = WORDS > 1 ? W1.read(a + W0.size()) : 0;
    long w2 = WORDS > 2 ? W2.read(a + W0.size() + W1.size()) : 0;
    return make(w0, w1, w2, c0, c1, c2);
  }

  /** A new object with everything in it that was read. */
  private static Object make(
      long w0, long w1, long w2, @Nullable Object c0, @Nullable Object c1, @Nullable Object c2) {
    Object o = Raw.allocate(TYPE);
    if (WORDS > 0) {
      W0.store(o, w0);
    }
    if (WORDS > 1) {
      W1.store(o, w1);
    }
    if (WORDS > 2) {
      W2.store(o, w2);
    }
    UNSAFE.putReference(o, R0.offset(), c0);
    if (SLOTS > 1) {
      UNSAFE.putReference(o, R1.offset(), c1);
    }
    if (SLOTS > 2) {
      UNSAFE.putReference(o, R2.offset(), c2);
    }
    return o;
  }

  /** Goes on where the image has something else than is expected, whose tag was read. */
  private static Object decodeRest(Object o, int index, Shape shape, Input in) {
    decodeSlot(o, MORE_SLOTS.get(index), null, shape, in);
    for (int i = index + 1; i < SLOTS; i++) {
      Slot slot = MORE_SLOTS.get(i);
      decodeSlot(o, slot, slot.expected(), in.shape(), in);
    }
    return o;
  }

  private static void decodeWords(Object o, long a) {
    long at = a;
    if (WORDS > 0) {
      at = W0.copyIn(at, o);
    }
    if (WORDS > 1) {
      at = W1.copyIn(at, o);
    }
    if (WORDS > 2) {
      at = W2.copyIn(at, o);
    }
    if (WORDS > 3) {
      at = W3.copyIn(at, o);
    }
    if (WORDS > 4) {
      decodeMoreWords(o, at);
    }
  }

  private static void decodeMoreWords(Object o, long a) {
    long at = W4.copyIn(a, o);
    if (WORDS > 5) {
      at = W5.copyIn(at, o);
    }
    if (WORDS > 6) {
      at = W6.copyIn(at, o);
    }
    if (WORDS > 7) {
      at = W7.copyIn(at, o);
    }
    for (int i = 8; i < WORDS; i++) {
      at = MORE_WORDS.get(i).copyIn(at, o);
    }
  }

  private static void decodeSlots(Object o, Input in) {
    decodeSlot(o, R0, E0, in.shape(), in);
    if (SLOTS > 1) {
      decodeSlot(o, R1, E1, in.shape(), in);
    }
    if (SLOTS > 2) {
      decodeSlot(o, R2, E2, in.shape(), in);
    }
    if (SLOTS > 3) {
      decodeMoreSlots(o, in);
    }
  }

  private static void decodeMoreSlots(Object o, Input in) {
    decodeSlot(o, R3, E3, in.shape(), in);
    if (SLOTS > 4) {
      decodeSlot(o, R4, E4, in.shape(), in);
    }
    if (SLOTS > 5) {
      decodeSlot(o, R5, E5, in.shape(), in);
    }
    for (int i = 6; i < SLOTS; i++) {
      Slot slot = MORE_SLOTS.get(i);
      decodeSlot(o, slot, slot.expected(), in.shape(), in);
    }
  }

  /** What the image says is stored only if the field may hold it. */
  @SuppressWarnings("ReferenceEquality") // shapes are compared by identity
  private static void decodeSlot(
      Object o, Slot slot, @Nullable Shape expected, Shape shape, Input in) {
    if (expected != null && shape == expected) {
      UNSAFE.putReference(o, slot.offset(), expected.decode(in));
      return;
    }
    if (LEAF) {
      in.enterUnexpected(); // what the class says is not what the image has
    }
    Object child = shape.decode(in);
    if (LEAF) {
      in.leave();
    }
    if (child == null) {
      return;
    }
    if (Input.isLater(child) || !slot.declared().isInstance(child)) {
      in.cannotStoreNow(o, slot, child);
      return;
    }
    UNSAFE.putReference(o, slot.offset(), child);
  }

  @Override
  public int contentHash(Object o) {
    if (WORDS == 0) {
      return 0;
    }
    long bits = W0.load(o);
    return mix(WORDS > 1 ? bits ^ Long.rotateLeft(W1.load(o), 32) * 31 : bits);
  }
}
