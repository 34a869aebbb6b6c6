package org.ringwire.codec.runtime;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.codec.Reader;

/**
 * Bounds what sets and maps cost whose keys hold sets or maps themselves, while a message is read.
 * One comparison of two such keys may look up each element of one in the other, and compare it with
 * many of the same hash code; and the hash code of such a key is computed anew each time. So what
 * comparing a key costs is found while it is read, from its bytes and from how many elements of the
 * sets in it really have one hash code, and each key is charged with all that have its own.
 *
 * <p>Let {@code C(v)} be what it costs to compare a value with an equal one: for a set, the sum of
 * {@code C} over all pairs of elements of one hash code. Comparing {@code v} and {@code w} costs no
 * more than {@code sqrt(C(v) * C(w))}, by the inequality of Cauchy and Schwarz from level to level,
 * and so no more than the mean of both; what is missing to that is in {@link KeyLevel#factor}.
 *
 * <p>Two bounds hold. Comparisons cost no more than {@link Collisions#PER_KEY} per key would whose
 * elements all have hash codes of their own, as among keys that hold no sets, and {@link
 * #FREE_COMPARISONS}. And together with hash codes, which are computed once per level, they cost no
 * more than {@link #PER_BYTE} for each byte of the message, and {@link #FREE}. So small messages
 * may have more collisions.
 *
 * <p>The unit is about one byte that is compared. A reader has one of these as soon as it has met
 * such keys, and uses it while it reads them. Numbers are doubles since they may be products of
 * what a peer chose. Public for {@link Reader} alone. One thread.
 */
public final class KeyCosts extends KeyBound {
  /** What looking up an element costs, beside its bytes. */
  static final int PER_ELEMENT = 16;

  /** One more element of the same hash code, of those that hold no others. */
  private static final int PER_COMPARISON = 8;

  /** A null element of a list may take no byte but a bit. */
  private static final int PER_NULL = 2;

  /** The part of looking up an element that is computing its hash code. */
  private static final double HASH_SHARE = 0.25;

  /**
   * What a message may cost at most, and what each byte of it adds to that. People do send maps
   * whose keys are all pairs of some hundred consecutive numbers, of which many have one hash code.
   */
  private static final int FREE = 1 << 28; // some tenths of a second

  /**
   * What comparisons may cost in any message: a hundred keys that are all of the same elements, in
   * other groups, have one hash code. Some hundreds of them are refused, since nothing but
   * comparing them tells them from keys that were chosen, for which as much would have to be
   * allowed.
   */
  private static final int FREE_COMPARISONS = 1 << 22; // some milliseconds

  private static final int PER_BYTE = 32;

  /** The JDK sorts what it can sort if there are more of one hash code, or few more. */
  private static final int UNSORTED = 12;

  private static final int MAX_KEPT = 1 << 10;

  /** Where a reader has its costs, which nobody else shall see. */
  private static Function<Reader, @Nullable KeyCosts> ofReader = _ -> null;

  private static Function<Reader, KeyCosts> creation = _ -> new KeyCosts();

  private KeyLevel[] levels = {};
  private int depth;
  private boolean isNew = true;
  private long start;
  private long length;
  private long elements; // in sets and maps of keys, and these keys
  private long nulls; // or what may be null, in lists
  private double surplus; // what comparing all that was read costs beyond its bytes
  private double compared;
  private double hashed;
  private int[] hashes = {};
  private int[] counts = {};

  /** Costs of a reader, which calls {@link #reset} for each message. */
  public KeyCosts() {}

  /**
   * Tells how a reader is asked for its costs.
   *
   * @param access yields null as long as there are none
   * @param create makes the reader have some
   */
  public static void setAccess(
      Function<Reader, @Nullable KeyCosts> access, Function<Reader, KeyCosts> create) {
    ofReader = access;
    creation = create;
  }

  /** Another message is going to be read. */
  public void reset() {
    while (depth > 0) {
      levels[--depth].end(); // an exception has prevented that
    }
    isNew = true;
  }

  /** Costs of the key that is being read, or null if none is that holds sets or maps. */
  static @Nullable KeyCosts active(Reader reader) {
    KeyCosts costs = ofReader.apply(reader);
    return costs == null || costs.depth == 0 ? null : costs;
  }

  /** Costs of a reader, which has some from now on. */
  static KeyCosts of(Reader reader) {
    KeyCosts costs = ofReader.apply(reader);
    return costs == null ? creation.apply(reader) : costs;
  }

  /** What reads so many elements or keys begins that hold no others, within a key. */
  void enter(Reader reader, int count) {
    push(reader, false, Collisions.among(count, reader));
  }

  /** What reads elements or keys that may hold sets or maps begins. */
  void enterNested(Reader reader) {
    if (isNew) {
      isNew = false;
      start = reader.position();
      length = reader.remaining();
      elements = 0;
      nulls = 0;
      surplus = 0;
      compared = 0;
      hashed = 0;
    }
    push(reader, true, null);
  }

  private void push(Reader reader, boolean nested, @Nullable Collisions collisions) {
    if (depth == levels.length) {
      levels = Arrays.copyOf(levels, Math.max(4, 2 * depth));
    }
    KeyLevel level = levels[depth];
    if (level == null) {
      level = new KeyLevel();
      levels[depth] = level;
    }
    depth++;
    level.begin(nested, collisions, reader.position() + surplus, linear(reader));
  }

  @Override
  void add(Reader reader, Object key) {
    elements++;
    surplus += PER_ELEMENT;
    KeyLevel level = levels[depth - 1];
    double cost = level.add(key, reader.position() + surplus, linear(reader));
    if (level.isNested()) {
      compared += cost;
      check(reader, level, key);
    }
    weigh(key, level.collisions(), reader);
  }

  @Override
  void passValue(Reader reader) {
    KeyLevel level = levels[depth - 1];
    level.passValue(reader.position() + surplus, linear(reader));
    next(level.collisions(), reader);
  }

  @Override
  void leave(Reader reader) {
    KeyLevel level = levels[--depth];
    double hashing = linear(reader) - level.linear();
    surplus += 2 * level.cost() + HASH_SHARE * hashing; // each pair in both orders
    if (level.isNested()) {
      hashed += 2 * hashing; // of a key when it is added, and here
      check(reader, level, null);
    }
    if (depth > 0) {
      levels[depth - 1].enclose(level);
    }
    level.end();
  }

  /** A set was read whose elements hold no others and have about one length. */
  static void leaves(Reader reader, Set<? extends @Nullable Object> set) {
    KeyCosts costs = active(reader);
    if (costs != null) {
      costs.addLeaves(set);
    }
  }

  /** The same of the keys of a map, which makes an object when it is asked for them. */
  static void leaves(Reader reader, Map<? extends @Nullable Object, ?> map) {
    KeyCosts costs = active(reader);
    if (costs != null) {
      costs.addLeaves(map.keySet());
    }
  }

  private void addLeaves(Set<? extends @Nullable Object> keys) {
    int size = keys.size();
    elements += size;
    surplus += PER_ELEMENT * (double) size;
    if (size > 1) {
      surplus += 2.0 * PER_COMPARISON * pairs(keys, size);
    }
  }

  /** How many pairs of the keys have one hash code. */
  private long pairs(Set<? extends @Nullable Object> keys, int size) {
    int capacity = Integer.highestOneBit(size) << 2;
    int[] ofHashes = hashes;
    int[] ofCounts = counts;
    if (capacity > ofHashes.length) {
      ofHashes = new int[capacity];
      ofCounts = new int[capacity];
      if (capacity <= MAX_KEPT) {
        hashes = ofHashes;
        counts = ofCounts;
      }
    } else {
      Arrays.fill(ofCounts, 0, capacity, 0);
    }
    long pairs = 0;
    for (Object key : keys) {
      if (key != null) {
        int index = Collisions.find(ofHashes, ofCounts, capacity, key.hashCode());
        int count = ofCounts[index]++;
        pairs += count > UNSORTED && Collisions.isSorted(key) ? UNSORTED : count;
      }
    }
    return pairs;
  }

  /** A list was read whose elements may be null, which take no bytes. */
  static void list(Reader reader, int size) {
    KeyCosts costs = active(reader);
    if (costs != null) {
      costs.nulls += size;
      costs.surplus += PER_NULL * (double) size;
    }
  }

  /** What was read, without what equal hash codes cost. */
  private double linear(Reader reader) {
    return reader.position() - start + (double) PER_ELEMENT * elements + (double) PER_NULL * nulls;
  }

  private void check(Reader reader, KeyLevel level, @Nullable Object key) {
    boolean areTooMany = compared > FREE_COMPARISONS + Collisions.PER_KEY * linear(reader);
    if (areTooMany || compared + hashed > FREE + (double) PER_BYTE * length) {
      String what =
          areTooMany || compared > hashed
              ? "too many keys or elements of one hash code within others"
              : "sets or maps within keys are nested too deeply for their size, for which lists"
                  + " are not limited";
      throw new MessagingException(
          what
              + ": type="
              + (key == null ? "none" : key.getClass().getName())
              + " keys="
              + level.size()
              + " elements="
              + elements
              + " cost of comparisons="
              + (long) compared
              + " cost of hash codes="
              + (long) hashed);
    }
  }
}
