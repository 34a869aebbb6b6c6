package org.ringwire.heap.image.shape;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.Validated;
import org.ringwire.heap.image.memory.Raw;

/**
 * Writes and reads the objects of exactly one class. Immutable and shared by all threads; the state
 * of a call is in the {@link Output} or {@link Input}.
 */
public abstract class Shape {
  private static final AtomicInteger ORDINALS = new AtomicInteger();

  /** What a small object begins with: its tag and a number. */
  protected static final int SMALL_FRONT = 1 + Integer.BYTES;

  private static final byte[] NO_DESCRIPTION = {};

  private final Class<?> type;
  private final int ordinal = ORDINALS.getAndIncrement();
  private final int tag;
  private final byte[] description;

  /**
   * Whether objects have an identity that is kept, and so a number in images with back-references.
   */
  private final boolean tracked;

  private final boolean leaf;
  private final boolean validated;

  /** A class that every image knows. */
  protected Shape(Class<?> type, int tag, boolean tracked, boolean leaf) {
    this(type, tag, NO_DESCRIPTION, tracked, leaf);
  }

  /** A class that images declare. */
  protected Shape(Class<?> type, byte[] description, boolean tracked, boolean leaf) {
    this(type, 0, description, tracked, leaf);
  }

  /** A class that every image knows if it has a tag, and that images declare if not. */
  protected Shape(Class<?> type, int tag, byte[] description, boolean tracked, boolean leaf) {
    this.type = type;
    this.tag = tag;
    this.description = description;
    this.tracked = tracked;
    this.leaf = leaf;
    this.validated = Validated.class.isAssignableFrom(type);
  }

  /** Whose objects it writes and reads. */
  public final Class<?> type() {
    return type;
  }

  /** Which place the shape has in the tables of encoders. */
  public final int ordinal() {
    return ordinal;
  }

  /** The tag of a class that every image knows, or 0 if images declare it. */
  public final int tag() {
    return tag;
  }

  /** What images say of the class; see {@link Description}. Nobody changes it. */
  public final byte[] description() {
    return description;
  }

  /** Whether objects nest no deeper than their class says, however the graph looks. */
  public final boolean isLeaf() {
    return leaf;
  }

  /** Whether objects want to be asked when the graph is complete. */
  public final boolean isValidated() {
    return validated;
  }

  /** Whether what is received is of exactly this class, and so fits where only that does. */
  public boolean isExact() {
    return true;
  }

  /** How many bytes follow the tag, if that is always the same and nothing else is; or -1. */
  public int fixedBytes() {
    return -1;
  }

  /** Writes what follows the tag, if that is fixed; there is room. */
  public long encodeFixed(Object o, long a) {
    throw new IllegalStateException("not fixed: class=" + type.getName());
  }

  /** Makes an object of what follows the tag, if that is fixed and within the image. */
  public Object decodeFixed(long a) {
    throw new IllegalStateException("not fixed: class=" + type.getName());
  }

  /**
   * How many bytes an element has, if objects may be a number in 4 bytes that says how many
   * elements follow, and those; or 0.
   */
  public int smallScale() {
    return 0;
  }

  /**
   * What the number behind the tag says, if there are small objects.
   *
   * @return how many elements follow it, at most {@link Raw#SMALL} bytes; or -1 if it is not small
   */
  protected int smallLength(int number) {
    return -1;
  }

  /** Makes a small object of its elements, all of which are here. */
  protected Object decodeSmall(int length, long a) {
    throw new IllegalStateException("never small: class=" + type.getName());
  }

  /** How many elements an object has that is small once it is written, or -1. */
  protected int lengthIfSmall(Object o) {
    return -1;
  }

  /**
   * Writes what follows the tag of a small object, for which there is room.
   *
   * @return the address behind it
   */
  protected long encodeSmall(Object o, int length, long a) {
    throw new IllegalStateException("never small: class=" + type.getName());
  }

  /** The same of a reference: -1 if it is to anything else than is expected. */
  protected static int lengthIfSmall(
      @Nullable Shape expected, Class<?> declared, @Nullable Object o) {
    if (expected == null || o == null || o.getClass() != declared) {
      return -1;
    }
    return expected.lengthIfSmall(o);
  }

  /** Writes a small object, for which there is room, with its tag. */
  protected static long encodeSmall(
      @Nullable Shape expected, int tag, @Nullable Object o, int n, long a) {
    if (expected == null || o == null) {
      return a; // not small
    }
    UNSAFE.putByte(a, (byte) tag);
    return expected.encodeSmall(o, n, a + 1);
  }

  /** How long a small object is whose tag should be here, or -1 if there is something else. */
  protected static int lengthOfSmall(@Nullable Shape expected, int tag, long a) {
    if (expected == null || UNSAFE.getByte(a) != tag) {
      return -1;
    }
    return expected.smallLength(UNSAFE.getInt(a + 1));
  }

  /** Whether a shape is neither what was expected, nor that of nothing. */
  @SuppressWarnings("ReferenceEquality") // shapes are compared by identity
  protected static boolean isOther(Shape shape, @Nullable Shape expected) {
    return shape != expected && !SpecialShape.isNull(shape);
  }

  /** Reads an object of the shape that is expected, and null for anything else. */
  @SuppressWarnings("ReferenceEquality") // shapes are compared by identity
  protected static @Nullable Object decodeExpected(
      Shape shape, @Nullable Shape expected, Input in) {
    return expected != null && shape == expected ? expected.decode(in) : null;
  }

  /** Makes a small object whose tag is here. */
  protected static @Nullable Object smallOf(@Nullable Shape expected, int length, long a) {
    return expected == null ? null : expected.decodeSmall(length, a + SMALL_FRONT);
  }

  /**
   * Reads elements of an array of exactly this class as long as they are as expected, if the shape
   * has a faster way for several of them than {@link #decode} for each.
   *
   * @param tag what each begins with, in the image at hand
   * @return the first that was not read
   */
  public int decodeRun(@Nullable Object[] array, int from, int tag, Input in) {
    return from;
  }

  /**
   * Writes elements of an array of exactly this class, as {@link #decodeRun} reads them, for which
   * there is room; {@link Output#runEnd} is where the last of them ends.
   *
   * @param tag of this shape, or what is no tag of a byte
   * @return the first that was not written
   */
  public int encodeRun(@Nullable Object[] array, int from, long a, int tag, Output out) {
    out.endRun(a);
    return from;
  }

  /** Whether it has faster ways for runs. */
  public boolean hasRuns() {
    return false;
  }

  /**
   * Writes a reference to an object. Templates have copies of this method: the compiler of the JVM
   * would not see through it twice in a row, and each copy has a profile of its own.
   *
   * @param o an object of exactly this class
   * @return the address behind all that was written
   */
  public long write(Object o, long a, Output out) {
    long at = out.require(a, Tags.ROOM);
    if (!leaf && out.isFull()) {
      return out.putOff(o, at);
    }
    if (tracked && out.isTracked()) {
      int number = out.visit(o, contentHash(o));
      if (number >= 0) {
        return Output.back(number, at);
      }
    }
    return encode(o, out.tag(this, ordinal, 0, at), out);
  }

  /**
   * Writes what follows the tag.
   *
   * @param o an object of exactly this class
   * @param a where to write; room has to be asked for
   * @return the address behind it
   */
  public abstract long encode(Object o, long a, Output out);

  /**
   * Reads what follows the tag.
   *
   * @return an object of exactly this class, unless it is not {@link #isExact exact}, registered
   *     with the decoder if it is tracked
   */
  public abstract @Nullable Object decode(Input in);

  /**
   * A number made of what the object holds, for the table of visited objects, which need not differ
   * between objects. If it changes while the graph is encoded, because another thread changes the
   * object, that is not found again, and is sent once more.
   *
   * @return 0 if only the identity will do
   */
  public int contentHash(Object o) {
    return 0;
  }

  /**
   * Spreads 64 bits over 32; never 0. All of them count for the low ones, which are a place: whole
   * numbers as doubles, for example, differ in the high ones only.
   */
  public static int mix(long bits) {
    long product = bits * 0x9E3779B97F4A7C15L;
    int hash = (int) (product >>> 29 ^ product >>> 50);
    return hash == 0 ? 1 : hash;
  }
}
