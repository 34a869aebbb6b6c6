package org.ringwire.codec.runtime;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What {@link KeyCosts} knows of one set or map that is being read, by hash code of its keys. In a
 * table with open addressing, like {@link Collisions}. One thread; used again for others.
 */
final class KeyLevel {
  private static final int FIRST_CAPACITY = 16;
  private static final int MAX_KEPT = 64; // there may be many more sets, of few elements

  private int[] hashes = {};
  private int[] counts = {};
  private double[] weights = {};
  private double[] lengths = {};
  private double[] factors = {};
  private boolean nested;
  private @Nullable Collisions collisions;
  private int used;
  private int size;
  private double mark; // where the next key begins
  private double linearMark;
  private double linear;
  private double cost;
  private int chain;

  // of what was read since the mark, and of all keys
  private double factor;
  private double factorOfAll;

  /**
   * The first key comes next.
   *
   * @param isNested whether keys may hold sets or maps
   * @param colliding bounds what telling them apart costs, if they hold none and are many
   * @param mark what reading has cost so far; see {@link KeyCosts}
   * @param linearSoFar what it has cost without equal hash codes
   */
  void begin(boolean isNested, @Nullable Collisions colliding, double mark, double linearSoFar) {
    end(); // an exception may have prevented that
    this.mark = mark;
    nested = isNested;
    collisions = colliding;
    linear = linearSoFar;
    linearMark = linearSoFar;
    size = 0;
    cost = 0;
    chain = 1;
    factor = 1;
    factorOfAll = 1;
  }

  boolean isNested() {
    return nested;
  }

  @Nullable Collisions collisions() {
    return collisions;
  }

  int size() {
    return size;
  }

  /** What reading had cost when this began, without equal hash codes, and has for values since. */
  double linear() {
    return linear;
  }

  /** What all comparisons of two of the keys cost together. */
  double cost() {
    return cost;
  }

  /**
   * How often hash codes of parts of a key may be computed when it is compared once. An element
   * that holds sets or maps is looked up among all of its hash code; each comparison looks up parts
   * of one in the other, and computes their hash codes again. The mean of what two keys cost does
   * not cover that: the element may be long, and those in the chain short. So for each level.
   */
  private double factor() {
    return factorOfAll * (nested ? chain : 1);
  }

  /** A set or map was read that is in a key or value of this. */
  void enclose(KeyLevel inner) {
    factor = Math.max(factor, inner.factor());
  }

  /**
   * A key was read.
   *
   * @param now what reading has cost so far
   * @param linearNow what it has cost without equal hash codes
   * @return what it costs to compare it with all of its hash code that were there before
   */
  double add(Object key, double now, double linearNow) {
    double weight = now - mark;
    double length = linearNow - linearMark;
    size++;
    if (2 * used >= hashes.length) {
      grow();
    }
    int index = Collisions.find(hashes, counts, hashes.length, key.hashCode());
    int count = counts[index]++;
    if (count == 0) {
      used++;
      weights[index] = 0;
      lengths[index] = 0;
      factors[index] = 1;
    }
    factors[index] = Math.max(factors[index], factor);
    double again = (factors[index] - 1) * (lengths[index] + count * length);
    double added = (weights[index] + count * weight) / 2 + again;
    weights[index] += weight;
    lengths[index] += length;
    chain = Math.max(chain, count + 1);
    cost += added;
    next(now, linearNow);
    return added;
  }

  /** A value was read, whose hash code nothing asks for at this level. */
  void passValue(double now, double linearNow) {
    linear += linearNow - linearMark;
    next(now, linearNow);
  }

  /** What comes next begins, a key. */
  private void next(double now, double linearNow) {
    mark = now;
    linearMark = linearNow;
    factorOfAll = Math.max(factorOfAll, factor);
    factor = 1;
  }

  /** Forgets the keys. */
  void end() {
    collisions = null;
    if (hashes.length > MAX_KEPT) {
      hashes = new int[0];
      counts = new int[0];
      weights = new double[0];
      lengths = new double[0];
      factors = new double[0];
    } else if (used > 0) {
      Arrays.fill(counts, 0);
    }
    used = 0;
  }

  private void grow() {
    int capacity = Math.max(FIRST_CAPACITY, 2 * hashes.length);
    int[] newHashes = new int[capacity];
    int[] newCounts = new int[capacity];
    double[] newWeights = new double[capacity];
    double[] newLengths = new double[capacity];
    double[] newFactors = new double[capacity];
    for (int from = 0; from < hashes.length; from++) {
      if (counts[from] != 0) {
        int to = Collisions.find(newHashes, newCounts, capacity, hashes[from]);
        newCounts[to] = counts[from];
        newWeights[to] = weights[from];
        newLengths[to] = lengths[from];
        newFactors[to] = factors[from];
      }
    }
    hashes = newHashes;
    counts = newCounts;
    weights = newWeights;
    lengths = newLengths;
    factors = newFactors;
  }
}
