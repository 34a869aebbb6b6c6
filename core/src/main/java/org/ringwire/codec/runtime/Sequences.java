package org.ringwire.codec.runtime;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Lengths;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/**
 * The parts of arrays, lists, sets and maps that do not depend on their elements: the count, the
 * bits that mark null elements, and the collections that are made. Public for generated classes
 * alone. Stateless.
 */
public final class Sequences {
  /** Collections are not sized beyond this before their elements have been read. */
  private static final int MAX_INITIAL_CAPACITY = 1 << 16;

  /**
   * What a container is sized for in the beginning, and what it then grows by, if a peer chooses
   * how many of its kind are read inside of each other: each could announce as many elements as
   * there are bytes in the message, and all of them together many times that.
   */
  private static final int FIRST_CAPACITY = 16;

  private static final int GROWTH = 4;

  private Sequences() {}

  /** Bytes of the bits for null, one bit for each element. */
  public static long nullBytes(int count) {
    return (count + 7L) >>> 3;
  }

  /** Bytes of the count in front. */
  public static long lengthOfCount(int count) {
    return Lengths.ofCompactUnsignedInt(count + 1);
  }

  /** Writes the count; -1 is null. */
  public static void putCount(Writer writer, int count) {
    writer.putCompactUnsignedInt(count + 1);
  }

  /**
   * Reads the count; -1 is null. Refuses what cannot be there: {@code count * minimum} bytes and
   * the bits for null of each of {@code bitmaps} bitmaps.
   */
  public static int getCount(Reader reader, long minimum, int bitmaps) {
    long count = Integer.toUnsignedLong(reader.getCompactUnsignedInt()) - 1;
    if (count > 0) {
      long needed = count * minimum + bitmaps * ((count + 7) >>> 3);
      if (needed > reader.remaining() || count > Integer.MAX_VALUE - 8) {
        throw new DecodingException(
            "count too large: found "
                + count
                + " elements, which take "
                + needed
                + " bytes or more, remaining "
                + reader.remaining());
      }
    }
    return (int) count;
  }

  /** The length of an array for the first elements of so many, which {@link #grow} follows. */
  public static int firstCapacity(int count) {
    return Math.min(count, FIRST_CAPACITY);
  }

  /** A longer array of the same type with what was read of so many elements. */
  public static @Nullable Object[] grow(@Nullable Object[] elements, int count) {
    return Arrays.copyOf(elements, (int) Math.min(count, (long) elements.length * GROWTH));
  }

  /** Reserves the bits for null, all clear. */
  public static long beginNulls(Writer writer, int count) {
    long length = nullBytes(count);
    long offset = writer.advance(length);
    Fixed.zero(writer.memory(), offset, length);
    return offset;
  }

  /** Clears the bits for null. */
  public static void clearNulls(MemorySegment memory, long offset, int count) {
    Fixed.zero(memory, offset, nullBytes(count));
  }

  /** Marks an element as null. */
  public static void markNull(MemorySegment memory, long offset, int index) {
    long at = offset + (index >>> 3);
    Fixed.putByte(memory, at, (byte) (Fixed.getByte(memory, at) | (1 << (index & 7))));
  }

  /** Whether any element is null; bits behind the last element must be clear. */
  public static boolean anyNull(MemorySegment memory, long offset, int count) {
    long at = offset;
    long end = offset + nullBytes(count);
    long bits = 0;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      bits |= Fixed.getLong(memory, at);
    }
    for (; at < end; at++) {
      bits |= Fixed.getByte(memory, at);
    }
    int spare = count & 7;
    if (spare != 0 && Fixed.getUnsignedByte(memory, end - 1) >>> spare != 0) {
      throw new DecodingException("null bits behind the last element: count=" + count);
    }
    return bits != 0;
  }

  /** Whether an element is null. */
  public static boolean isNull(MemorySegment memory, long offset, int index) {
    return (Fixed.getByte(memory, offset + (index >>> 3)) & (1 << (index & 7))) != 0;
  }

  /** What goes through a list, or null if that is done by index, which takes no object. */
  public static @Nullable Iterator<?> iterator(List<?> list) {
    return list instanceof RandomAccess ? null : list.iterator();
  }

  /** Whether a list has an element at an index, which is the one that comes next. */
  public static boolean hasNext(List<?> list, @Nullable Iterator<?> iterator, int index) {
    return iterator == null ? index < list.size() : iterator.hasNext();
  }

  /** The element at an index, which is the one that comes next, of so many as were counted. */
  public static @Nullable Object next(
      List<? extends @Nullable Object> list,
      @Nullable Iterator<? extends @Nullable Object> iterator,
      int index,
      int count) {
    if (iterator != null) {
      return iterator.next();
    }
    try {
      return list.get(index);
    } catch (IndexOutOfBoundsException e) { // its size says that there is one
      ConcurrentModificationException changed = changed(count, index);
      changed.initCause(e);
      throw changed;
    }
  }

  /** Throws if a collection yields more elements than it said it has. */
  public static void checkIndex(int index, int count) {
    if (index >= count) {
      checkCount(count, index + 1);
    }
  }

  /** Throws if a collection yielded another number of elements than it said it has. */
  public static void checkCount(int expected, int found) {
    if (expected != found) {
      throw changed(expected, found);
    }
  }

  private static ConcurrentModificationException changed(int expected, int found) {
    return new ConcurrentModificationException(
        "collection changed while it was encoded: size=" + expected + " elements=" + found);
  }

  /** An unmodifiable list of the elements, which may be null. */
  @SuppressWarnings("NullAway") // asList keeps the nulls of the array
  public static List<@Nullable Object> list(@Nullable Object[] elements) {
    return Collections.unmodifiableList(Arrays.asList(elements));
  }

  /** The same of elements that take no bytes if they are null. */
  public static List<@Nullable Object> list(@Nullable Object[] elements, Reader reader) {
    KeyCosts.list(reader, elements.length);
    return list(elements);
  }

  /** An unmodifiable set in the order of the elements; duplicates are refused. */
  public static Set<@Nullable Object> set(@Nullable Object[] elements, Reader reader) {
    Set<@Nullable Object> set = distinct(elements, Collisions.among(elements.length));
    KeyCosts.leaves(reader, set);
    return set;
  }

  /** The same of elements that were weighed, if any were. */
  public static Set<@Nullable Object> weighedSet(
      @Nullable Object[] elements, @Nullable KeyBound bound, Reader reader) {
    KeyBound.end(bound, reader);
    return distinct(elements, null);
  }

  private static Set<@Nullable Object> distinct(
      @Nullable Object[] elements, @Nullable Collisions collisions) {
    Set<@Nullable Object> set =
        LinkedHashSet.newLinkedHashSet(Math.min(elements.length, MAX_INITIAL_CAPACITY));
    for (@Nullable Object element : elements) {
      if (collisions != null) {
        collisions.add(element);
      }
      if (!set.add(element)) {
        throw twice("set with the same element twice: size=" + elements.length);
      }
    }
    return Collections.unmodifiableSet(set);
  }

  /**
   * An empty map that keeps the order, to be filled and then ended.
   *
   * @param grows whether to size it for the first of so many entries only
   * @param bound what the keys are weighed by, if they are
   */
  public static Entries newMap(int count, boolean grows, @Nullable KeyBound bound) {
    return new Entries(
        Math.min(count, grows ? FIRST_CAPACITY : MAX_INITIAL_CAPACITY),
        bound == null ? Collisions.among(count) : null);
  }

  /**
   * The entries of a map that is being read. They are in a map of the JDK, and what bounds the cost
   * of their keys is beside it: handlers keep and pass on what they were given, for instance in a
   * graph of objects, which takes no classes of this library.
   */
  public static final class Entries {
    private final Map<@Nullable Object, @Nullable Object> map;
    private final @Nullable Collisions collisions;

    private Entries(int capacity, @Nullable Collisions collisions) {
      map = LinkedHashMap.newLinkedHashMap(capacity);
      this.collisions = collisions;
    }
  }

  /** Adds an entry; a key that is there already is refused. */
  public static void putEntry(Entries entries, @Nullable Object key, @Nullable Object value) {
    Map<@Nullable Object, @Nullable Object> map = entries.map;
    int size = map.size();
    if (entries.collisions != null) {
      entries.collisions.add(key);
    }
    map.put(key, value);
    if (map.size() == size) {
      throw twice("map with the same key twice: entry=" + size);
    }
  }

  /**
   * Of no damage: a sender's map may tell keys apart by their identity or an order of its own, and
   * records are made by constructors, and compared by methods, of this side's version.
   */
  private static MessagingException twice(String what) {
    return new MessagingException(what + ": equal here, whatever the sender makes of it");
  }

  /** The map of all entries, unmodifiable. */
  public static Map<@Nullable Object, @Nullable Object> endMap(Entries entries, Reader reader) {
    KeyCosts.leaves(reader, entries.map);
    return Collections.unmodifiableMap(entries.map);
  }

  /** The same of entries whose keys were weighed, if any were. */
  public static Map<@Nullable Object, @Nullable Object> endWeighedMap(
      Entries entries, @Nullable KeyBound bound, Reader reader) {
    KeyBound.end(bound, reader);
    return Collections.unmodifiableMap(entries.map);
  }
}
