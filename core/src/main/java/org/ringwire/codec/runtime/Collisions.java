package org.ringwire.codec.runtime;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Reader;

/**
 * Bounds what a set or map costs that is being read. The JDK's maps sort keys of one hash code if
 * they are {@link Comparable}; among others, such as records, each new key is compared with all of
 * the same hash code, which a peer chooses. So those comparisons are counted: some per key are
 * granted, many more than a hash function of a record needs, and whoever needs more is refused.
 *
 * <p>A comparison of keys that have no fixed length is counted as long as the key; if they hold
 * sets or maps, as long as looking up each element of these takes, see {@link Reader#effort}.
 *
 * <p>Keys that are sorted are not counted, nor are the first keys of a collection, unless they hold
 * sets or maps. Counts by hash code are in a table with open addressing; what is used as index
 * depends on a number that differs from process to process. Public for generated classes alone. One
 * thread.
 */
public final class Collisions {

  /** Keys that are not counted. */
  static final int FREE_KEYS = 128;

  /** Comparisons per key. */
  static final int PER_KEY = 64;

  private static final int SEED = new SplittableRandom().nextInt() | 1;
  private static final int FIRST_CAPACITY = 1024;
  private static final int FIRST_CAPACITY_OF_NESTED = 4; // there may be many, of few keys each

  private final @Nullable Reader weighed; // what keys are read from, or null if all weigh 1
  private final int freeKeys;
  private int[] hashes = {};
  private int[] counts = {};
  private int used;
  private int keys;
  private long allowed;
  private long comparisons;
  private long position; // where a key begins
  private long effort;

  private Collisions(@Nullable Reader weighed, int freeKeys) {
    this.weighed = weighed;
    this.freeKeys = freeKeys;
  }

  /** For a collection of so many elements; null if it has so few that none would be counted. */
  static @Nullable Collisions among(int elements) {
    return elements > FREE_KEYS ? new Collisions(null, FREE_KEYS) : null;
  }

  /**
   * For keys that have no fixed length, the first of which comes next.
   *
   * @param nested whether they hold sets or maps
   */
  public static @Nullable Collisions weighing(Reader reader, int elements, boolean nested) {
    if (elements <= (nested ? 1 : FREE_KEYS)) {
      return null;
    }
    Collisions collisions = new Collisions(reader, nested ? 0 : FREE_KEYS);
    collisions.begin();
    return collisions;
  }

  /** A key that was read is going to be added to what is weighed, if anything is. */
  public static void weigh(@Nullable Collisions collisions, @Nullable Object key) {
    if (collisions != null) {
      collisions.add(key);
      collisions.begin();
    }
  }

  /** The next key comes next. */
  void begin() {
    if (weighed != null) {
      position = weighed.position();
      effort = weighed.effort();
    }
  }

  /** A key is going to be added. */
  void add(@Nullable Object key) {
    long length = 1;
    long weight = 1;
    if (weighed != null) {
      length = Math.max(1, weighed.position() - position);
      weight = length + weighed.effort() - effort;
    }
    allowed += PER_KEY * length;
    if (++keys <= freeKeys || key == null || isSorted(key)) {
      return;
    }
    if (2 * used >= hashes.length) {
      grow();
    }
    int hash = key.hashCode();
    int index = find(hashes, counts, hash);
    if (counts[index] == 0) {
      used++;
    }
    comparisons += weight * counts[index]++;
    if (comparisons > allowed) {
      throw new DecodingException(
          "too many keys or elements of one hash code: type="
              + key.getClass().getName()
              + " hashCode="
              + hash
              + " found "
              + counts[index]
              + " of "
              + keys);
    }
  }

  /**
   * What is compared in bytes, beside each key once, when the keys are looked up in their like.
   *
   * @param collisions those that were counted, if any
   * @param keys how many there are
   * @param key one of them
   * @param bytes their length together
   */
  static long effortOf(
      @Nullable Collisions collisions, int keys, @Nullable Object key, long bytes) {
    if (collisions != null && collisions.weighed != null) {
      return collisions.comparisons + collisions.ofFreeKeys(bytes) + bytes; // and their hash codes
    }
    if (keys <= 1 || (key != null && isSorted(key))) {
      return 0;
    }
    return collisions == null
        ? bytes * (keys - 1) / 2
        : (collisions.comparisons + (long) FREE_KEYS * FREE_KEYS / 2) * bytes / keys;
  }

  private long ofFreeKeys(long bytes) {
    return freeKeys == 0 ? 0 : bytes * FREE_KEYS / 2;
  }

  /** Whether a peer cannot make it costly: comparable and of the JDK, or a constant. */
  private static boolean isSorted(Object key) {
    return key instanceof Enum
        || (key instanceof Comparable && key.getClass().getClassLoader() == null);
  }

  /** Where a hash code is, or may be put; the count there is 0 if it is new. */
  private static int find(int[] hashes, int[] counts, int hash) {
    int index = (hash * SEED) >>> Integer.numberOfLeadingZeros(hashes.length - 1);
    while (counts[index] != 0 && hashes[index] != hash) {
      index = (index + 1) & (hashes.length - 1);
    }
    hashes[index] = hash;
    return index;
  }

  private void grow() {
    int first = freeKeys == 0 ? FIRST_CAPACITY_OF_NESTED : FIRST_CAPACITY;
    int capacity = Math.max(first, 2 * hashes.length);
    int[] newHashes = new int[capacity];
    int[] newCounts = new int[capacity];
    for (int index = 0; index < hashes.length; index++) {
      if (counts[index] != 0) {
        newCounts[find(newHashes, newCounts, hashes[index])] = counts[index];
      }
    }
    hashes = newHashes;
    counts = newCounts;
  }
}
