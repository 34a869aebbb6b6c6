package org.ringwire.codec.runtime;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.codec.Reader;

/**
 * Bounds what a set or map costs that is being read. The JDK's maps sort keys of one hash code if
 * they are {@link Comparable}; among others, such as records, each new key is compared with all of
 * the same hash code, which a peer chooses. So those comparisons are counted: some per key are
 * granted, many more than a hash function of a record needs, and whoever needs more is refused.
 * Where keys may be long, such as lists, each comparison counts as many bytes as the key has that
 * is added, which it looks at if both differ at their ends only.
 *
 * <p>Keys that are sorted are not counted, nor are the first keys of a collection. Counts by hash
 * code are in a table with open addressing; what is used as index depends on a number that differs
 * from process to process. Keys that hold sets or maps are bounded by {@link KeyCosts} instead. One
 * thread.
 */
final class Collisions extends KeyBound {

  /** Keys that are not counted. */
  static final int FREE_KEYS = 128;

  /** Comparisons per key. */
  static final int PER_KEY = 64;

  /** What a comparison takes beside the bytes that it looks at, in such bytes. */
  private static final int PER_COMPARISON = 4;

  private static final int SEED = new SplittableRandom().nextInt() | 1;
  private static final int FIRST_CAPACITY = 1024;

  private int[] hashes = {};
  private int[] counts = {};
  private int used;
  private int keys;
  private long weights; // of all keys
  private long compared;
  private long mark; // where the key begins that is being read

  private Collisions() {}

  /** For a collection of so many elements; null if it has so few that none would be counted. */
  static @Nullable Collisions among(int elements) {
    return elements > FREE_KEYS ? new Collisions() : null;
  }

  /** The same for elements of any length, which are read from now on. */
  static @Nullable Collisions among(int elements, Reader reader) {
    Collisions collisions = among(elements);
    if (collisions != null) {
      collisions.passValue(reader);
    }
    return collisions;
  }

  /** A key is going to be added, of those that take about the same to compare. */
  void add(@Nullable Object key) {
    add(key, 1);
  }

  @Override
  void add(Reader reader, Object key) {
    add(key, reader.position() - mark + PER_COMPARISON);
    passValue(reader);
  }

  @Override
  void passValue(Reader reader) {
    mark = reader.position();
  }

  @Override
  void leave(Reader reader) {
    // nothing is kept
  }

  private void add(@Nullable Object key, long weight) {
    weights += weight;
    if (++keys <= FREE_KEYS || key == null || isSorted(key)) {
      return;
    }
    if (2 * used >= hashes.length) {
      grow();
    }
    int index = find(hashes, counts, hashes.length, key.hashCode());
    if (counts[index] == 0) {
      used++;
    }
    compared += counts[index]++ * weight;
    if (compared > PER_KEY * weights) {
      throw new MessagingException(
          "too many keys or elements of one hash code: type="
              + key.getClass().getName()
              + " hashCode="
              + key.hashCode()
              + " found "
              + counts[index]
              + " of "
              + keys);
    }
  }

  /** Of the JDK, which loads such classes without a loader of their own, and comparable. */
  static boolean isSorted(Object key) {
    return key instanceof Comparable && key.getClass().getClassLoader() == null;
  }

  /** Where a hash code is, or may be put; the count there is 0 if it is new. */
  static int find(int[] hashes, int[] counts, int capacity, int hash) {
    int index = (hash * SEED) >>> Integer.numberOfLeadingZeros(capacity - 1);
    while (counts[index] != 0 && hashes[index] != hash) {
      index = (index + 1) & (capacity - 1);
    }
    hashes[index] = hash;
    return index;
  }

  private void grow() {
    int capacity = Math.max(FIRST_CAPACITY, 2 * hashes.length);
    int[] newHashes = new int[capacity];
    int[] newCounts = new int[capacity];
    for (int index = 0; index < hashes.length; index++) {
      if (counts[index] != 0) {
        newCounts[find(newHashes, newCounts, capacity, hashes[index])] = counts[index];
      }
    }
    hashes = newHashes;
    counts = newCounts;
  }
}
