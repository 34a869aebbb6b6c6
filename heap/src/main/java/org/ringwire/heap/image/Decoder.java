package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.Validated;
import org.ringwire.heap.image.ObjectLayout.Slot;

/**
 * Reads one image at a time, for one thread at a time, and believes nothing of it: every length is
 * compared with what is left of the image before anything is allocated for it, every reference with
 * the type of what it is stored into, every class with what is accepted. Each byte is read once.
 */
public final class Decoder {
  /** Stands for an object that follows later; never leaves this package. */
  static final Object LATER = new Object();

  @SuppressWarnings("ReferenceEquality") // there is one
  static boolean isLater(@Nullable Object o) {
    return o == LATER;
  }

  private static final int FIRST_ROOM = 16 * 1024;
  private static final long KEPT_ROOM = 16L << 20;
  private static final int FIRST_OBJECTS = 256;
  private static final int KEPT_OBJECTS = 1 << 18;
  private static final long DESCRIPTION_LIMIT = 1 << 16;

  private final Limits limits;
  private final int maxObjects;
  private final int maxArrayLength;
  private final int maxDepth;
  private final AcceptedClasses accepted;

  /** By tag; never null, since what is no class has a shape that does what the tag says. */
  private final Shape[] shapes = SpecialShape.table();

  /** Declared classes by number, also of earlier images, whose descriptions may come again. */
  private @Nullable Shape[] declared = new @Nullable Shape[16];

  private int declaredCount;
  private @Nullable Object[] objects = new @Nullable Object[FIRST_OBJECTS];
  private int count;
  private boolean tracked;
  private final List<Pending> pending = new ArrayList<>();
  private int pendingFills;
  private final List<Validated> toValidate = new ArrayList<>();
  private MemorySegment own = Arena.ofAuto().allocate(FIRST_ROOM, Long.BYTES);
  private MemorySegment.@Nullable Scope scope;
  private long position;
  private long limit;
  private int unitDepth;
  private int depth;

  /** What has to be done after the nest that is being read. */
  private sealed interface Pending {
    /** A reference whose object follows. */
    record Field(Object target, Slot slot, int depth) implements Pending {}

    /** An element whose object follows. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Element(@Nullable Object[] target, int index, int depth) implements Pending {}

    /** A container whose content is complete when everything before this is. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Fill(ContainerShape shape, Object container, @Nullable Object[] references)
        implements Pending {}
  }

  /**
   * A decoder for images within limits.
   *
   * @param limits what an image may cost
   * @param accepted which classes it may name
   */
  public Decoder(Limits limits, AcceptedClasses accepted) {
    this.limits = limits;
    this.maxObjects = limits.objects();
    this.maxArrayLength = limits.arrayLength();
    this.maxDepth = limits.depth();
    this.accepted = accepted;
  }

  AcceptedClasses accepted() {
    return accepted;
  }

  /**
   * Decodes the image at the start of a piece of memory.
   *
   * @return the graph, which may be null
   * @throws DecodingException if the image is damaged, too large, or not accepted
   */
  public @Nullable Object decode(MemorySegment image) {
    long length = lengthOf(image);
    try {
      if (DirectMemory.isSteady(image)) {
        scope = image.scope();
        position = image.address();
      } else {
        if (own.byteSize() < length || own.byteSize() > KEPT_ROOM) {
          own = Arena.ofAuto().allocate(Math.max(length, FIRST_ROOM), Long.BYTES);
        }
        MemorySegment.copy(image, 0, own, 0, length);
        position = own.address();
      }
      limit = position + length;
      return read();
    } catch (StackOverflowError e) {
      throw new DecodingException("the stack is too short for an image", e);
    } finally {
      Reference.reachabilityFence(image);
      Reference.reachabilityFence(own);
      reset();
    }
  }

  /** What the header says, if that is within the memory and the limits. */
  private long lengthOf(MemorySegment image) {
    if (image.byteSize() < Tags.HEADER_LENGTH) {
      throw new DecodingException("no image: bytes=" + image.byteSize());
    }
    long length = image.get(ValueLayout.JAVA_LONG_UNALIGNED, Tags.LENGTH_OFFSET);
    if (length < Tags.HEADER_LENGTH || length > image.byteSize()) {
      throw new DecodingException("no such image: length=" + length + " bytes=" + image.byteSize());
    }
    if (length > limits.bytes()) {
      throw new DecodingException(
          "the image is too long: length=" + length + " limit of bytes=" + limits.bytes());
    }
    return length;
  }

  private void reset() {
    Arrays.fill(objects, 0, tracked ? count : 0, null);
    if (objects.length > KEPT_OBJECTS) {
      objects = new @Nullable Object[FIRST_OBJECTS];
    }
    count = 0;
    for (int i = 0; i < Math.min(declaredCount, Tags.COUNT - Tags.DECLARED); i++) {
      shapes[Tags.DECLARED + i] = SpecialShape.INVALID;
    }
    declaredCount = 0;
    pending.clear();
    pendingFills = 0;
    toValidate.clear();
    scope = null;
    depth = 0;
    unitDepth = 0;
  }

  private @Nullable Object read() {
    long header = take(Tags.HEADER_LENGTH);
    int front = UNSAFE.getInt(header);
    if ((front & 0xffff) != Tags.MAGIC || (front >>> 16 & 0xff) != Tags.VERSION) {
      throw new DecodingException("not an image of this version: front=" + front);
    }
    int flags = front >>> (Byte.SIZE * Tags.FLAGS_OFFSET);
    if ((flags & ~Tags.TRACKED) != 0) {
      throw new DecodingException("unknown flags of an image: flags=" + flags);
    }
    tracked = flags != 0;
    int announced = UNSAFE.getInt(header + Tags.OBJECTS_OFFSET);
    if (announced < 0 || announced > limits.objects() || announced > limit - position) {
      throw new DecodingException(
          "too many objects: announced=" + announced + " limit of objects=" + limits.objects());
    }
    if (announced > objects.length) {
      objects = new @Nullable Object[announced];
    }
    Object root = shape().decode(this);
    if (isLater(root)) {
      throw new DecodingException("the first object is not where it should be");
    }
    if (!pending.isEmpty()) {
      readPending();
    }
    finish(announced);
    return root;
  }

  private void finish(int announced) {
    if (position != limit) {
      throw new DecodingException("bytes are left of an image: bytes=" + (limit - position));
    }
    if (tracked && announced != count) {
      throw new DecodingException("other number of objects than announced: count=" + count);
    }
    UNSAFE.storeFence(); // whoever gets the graph by a race sees what final fields hold
    for (Validated object : toValidate) {
      try {
        object.validate();
      } catch (RuntimeException e) {
        throw new DecodingException(
            "an object is not valid: class=" + object.getClass().getName() + ": " + e, e);
      }
    }
  }

  /** In the order of {@link Encoder}, with containers after what they hold. */
  private void readPending() {
    Collections.reverse(pending);
    while (!pending.isEmpty()) {
      Pending next = pending.removeLast();
      int mark = pending.size();
      switch (next) {
        case Pending.Field f -> {
          Object child = readUnit(f.depth);
          if (child != null && !f.slot.declared().isInstance(child)) {
            throw misfit(f.slot, child);
          }
          UNSAFE.putReference(f.target, f.slot.offset(), child);
        }
        case Pending.Element e -> {
          Object child = readUnit(e.depth);
          if (child != null && !e.target.getClass().getComponentType().isInstance(child)) {
            throw misfit(e.target, child);
          }
          e.target[e.index] = child;
        }
        case Pending.Fill f -> {
          pendingFills--;
          fillNow(f.shape, f.container, f.references);
        }
      }
      if (pending.size() > mark + 1) {
        Collections.reverse(pending.subList(mark, pending.size()));
      }
    }
  }

  private @Nullable Object readUnit(int atDepth) {
    unitDepth = atDepth;
    depth = 0;
    Object child = shape().decode(this);
    if (isLater(child)) {
      throw new DecodingException("an object is put off twice");
    }
    return child;
  }

  /** The shape that the next tag stands for. */
  Shape shape() {
    long a = position;
    if (a >= limit) {
      throw truncated(1);
    }
    position = a + 1;
    return shapes[UNSAFE.getByte(a) & 0xff];
  }

  /**
   * Passes over bytes.
   *
   * @return the address of the first
   */
  long take(long bytes) {
    long a = position;
    if (limit - a < bytes) {
      throw truncated(bytes);
    }
    position = a + bytes;
    return a;
  }

  private DecodingException truncated(long bytes) {
    return new DecodingException(
        "the image ends too early: expected=" + bytes + " left=" + (limit - position));
  }

  /** Reads a length, and refuses one that cannot be true. */
  int arrayLength(int elementBytes, Class<?> type) {
    int length = UNSAFE.getInt(take(Integer.BYTES));
    if (length < 0 || !hasArray(length, (long) length * elementBytes)) {
      throw noSuchLength(length, type);
    }
    return length;
  }

  /** Whether there may be an array of that length, which has so many bytes. */
  boolean hasArray(int length, long bytes) {
    return bytes <= limit - position && length <= maxArrayLength;
  }

  /** What to throw if not. */
  DecodingException noSuchLength(int length, Class<?> type) {
    String facts = "class=" + type.getName() + " length=" + length;
    return length > maxArrayLength
        ? new DecodingException("too long: " + facts + " limit of array length=" + maxArrayLength)
        : new DecodingException("no such length: " + facts + " bytes left=" + (limit - position));
  }

  /** Whether objects have numbers. */
  boolean isTracked() {
    return tracked;
  }

  /** How many objects of this length there may be from here on. */
  long atMost(int bytes) {
    return Math.min((limit - position) / bytes, maxObjects - count);
  }

  /** Counts objects that were read without being registered, which needs no numbers. */
  void passed(int objectCount, long bytes) {
    count += objectCount;
    position += bytes;
  }

  void requireAtLeast(int bytes) {
    if (bytes > limit - position) {
      throw truncated(bytes);
    }
  }

  /** Reads bytes behind their number. */
  byte[] bytes() {
    byte[] bytes = new byte[arrayLength(1, byte[].class)];
    Raw.copyIn(take(bytes.length), bytes);
    return bytes;
  }

  /** Gives a new object its number, before anything can refer to it. */
  void register(Object o) {
    int number = count;
    if (number >= maxObjects) {
      throw new DecodingException("too many objects: limit of objects=" + maxObjects);
    }
    count = number + 1;
    if (tracked) {
      track(number, o);
    }
  }

  private void track(int number, Object o) {
    if (number == objects.length) {
      objects = Arrays.copyOf(objects, 2 * number);
    }
    objects[number] = o;
  }

  /** Remembers an object that wants to be asked when the graph is complete. */
  void validateLater(Object o) {
    toValidate.add((Validated) o);
  }

  /** The object that a back-reference leads to. */
  Object back() {
    int number = UNSAFE.getInt(take(Integer.BYTES));
    Object o = tracked && number >= 0 && number < count ? objects[number] : null;
    if (o == null) {
      throw new DecodingException(
          "no object has this number: number=" + number + " count=" + count);
    }
    return o;
  }

  /** Reads a description; the class has the next number from now on. */
  Shape declare() {
    int length = UNSAFE.getInt(take(Integer.BYTES));
    if (length < 0 || length > DESCRIPTION_LIMIT) {
      throw new DecodingException("description of a class is too long: length=" + length);
    }
    long a = take(length);
    int number = declaredCount;
    if (number == declared.length) {
      declared = Arrays.copyOf(declared, 2 * number);
    }
    Shape shape = declared[number];
    if (shape == null || shape.description.length != length || !Raw.isEqual(a, shape.description)) {
      byte[] description = new byte[length];
      Raw.copyIn(a, description);
      shape = accepted.described(description);
      declared[number] = shape;
    }
    declaredCount = number + 1;
    if (Tags.DECLARED + number < Tags.COUNT) {
      shapes[Tags.DECLARED + number] = shape;
    }
    return shape;
  }

  /** The class that a number above those with tags stands for. */
  Shape wide() {
    int number = UNSAFE.getInt(take(Integer.BYTES)) + Tags.COUNT - Tags.DECLARED;
    Shape shape =
        number >= Tags.COUNT - Tags.DECLARED && number < declaredCount ? declared[number] : null;
    if (shape == null) {
      throw new DecodingException("no class has this number: number=" + number);
    }
    return shape;
  }

  /** What a field cannot have: something that follows later, or that does not fit. */
  void cannotStoreNow(Object target, Slot slot, Object child) {
    if (!isLater(child)) {
      throw misfit(slot, child);
    }
    pending.add(new Pending.Field(target, slot, unitDepth + depth));
  }

  /** What an element cannot be: something that follows later, or that does not fit. */
  void cannotStoreNow(@Nullable Object[] target, int index, Object child) {
    if (!isLater(child)) {
      throw misfit(target, child);
    }
    pending.add(new Pending.Element(target, index, unitDepth + depth));
  }

  private static DecodingException misfit(Slot slot, Object child) {
    return new DecodingException(
        "a field cannot hold what the image has for it: class="
            + slot.owner().getName()
            + " field="
            + slot.name()
            + " type="
            + slot.declared().getName()
            + " found="
            + child.getClass().getName());
  }

  private static DecodingException misfit(Object array, Object child) {
    return new DecodingException(
        "an array cannot hold what the image has for it: class="
            + array.getClass().getName()
            + " found="
            + child.getClass().getName());
  }

  /** How much is put off so far. */
  int mark() {
    return pending.size();
  }

  /** Fills a container, at once if everything that it holds is complete. */
  void fill(ContainerShape shape, Object container, @Nullable Object[] references, int mark) {
    if (pending.size() > mark || pendingFills > 0) {
      pendingFills++;
      pending.add(new Pending.Fill(shape, container, references));
    } else {
      fillNow(shape, container, references);
    }
  }

  private void fillNow(ContainerShape shape, Object container, @Nullable Object[] references) {
    try {
      shape.fill(container, references);
    } catch (DecodingException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new DecodingException(
          "a collection cannot be filled: class=" + shape.type.getName() + ": " + e, e);
    }
    if (scope != null && !scope.isAlive()) { // methods of elements may have closed its arena
      throw new IllegalStateException("the memory of an image was closed while it was decoded");
    }
  }

  /** Goes one level deeper. */
  void enter() {
    int now = ++depth;
    if (now > Encoder.NESTING) {
      throw new DecodingException("objects are nested too deep: limit=" + Encoder.NESTING);
    }
    if (now + unitDepth > maxDepth) {
      throw new DecodingException("the graph is too deep: limit of depth=" + maxDepth);
    }
  }

  /** Goes one level deeper where there should be none, if it is not just that nothing is there. */
  void enterUnexpected() {
    if (++depth > 2 * Encoder.NESTING) {
      throw new DecodingException("objects are nested too deep: limit=" + 2 * Encoder.NESTING);
    }
  }

  /** Goes back up. */
  void leave() {
    depth--;
  }
}
