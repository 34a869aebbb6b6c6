package org.ringwire.codec.runtime;

import java.util.Arrays;

/**
 * What {@link KeyCosts} knows of one set or map that is being read, by hash code of its keys. In a
 * table with open addressing, like {@link Collisions}. One thread; used again for others.
 */
final class KeyLevel {
  private static final int FIRST_CAPACITY = 16;
  private static final int MAX_KEPT = 64; // there may be many more sets, of few elements

  /** Sets of sets of sets of sets: see {@link #factor}. */
  private static final int DEEP = 4;

  private int[] hashes = {};
  private int[] counts = {};
  private double[] weights = {};
  private double[] factors = {};
  private boolean nested;
  private int used;
  private int size;
  private double mark; // where the next key begins
  private double linear;
  private double cost;
  private int chain;

  // of what was read since the mark, and of all keys
  private int height;
  private double factor;
  private int heightOfAll;
  private double factorOfAll;

  /**
   * The first key comes next.
   *
   * @param isNested whether keys may hold sets or maps
   * @param mark what reading has cost so far; see {@link KeyCosts}
   * @param linearSoFar what it has cost without equal hash codes
   */
  void begin(boolean isNested, double mark, double linearSoFar) {
    end(); // an exception may have prevented that
    this.mark = mark;
    nested = isNested;
    linear = linearSoFar;
    size = 0;
    cost = 0;
    chain = 1;
    height = 0;
    factor = 1;
    heightOfAll = 0;
    factorOfAll = 1;
  }

  boolean isNested() {
    return nested;
  }

  int size() {
    return size;
  }

  double linear() {
    return linear;
  }

  /** What all comparisons of two of the keys cost together. */
  double cost() {
    return cost;
  }

  /**
   * What may be missing to the mean of the costs of two keys. A comparison may end with an element
   * of one that is not in the other and whose parts have long hash codes: they are computed for
   * each in a chain of the other, which is counted there, where the parts are short. That takes
   * sets in sets in sets in sets: the element may be a set of sets of one heavy set.
   */
  private double factor() {
    return factorOfAll * (height() >= DEEP ? chain : 1);
  }

  private int height() {
    return 1 + heightOfAll;
  }

  /** A set or map was read that is in a key or value of this. */
  void enclose(KeyLevel inner) {
    height = Math.max(height, inner.height());
    factor = Math.max(factor, inner.factor());
  }

  /** The same for one whose elements or keys hold no others. */
  void encloseLeaves() {
    height = Math.max(height, 1);
  }

  /**
   * A key was read.
   *
   * @param now what reading has cost so far
   * @return what it costs to compare it with all of its hash code that were there before
   */
  double add(Object key, double now) {
    double weight = now - mark;
    size++;
    if (2 * used >= hashes.length) {
      grow();
    }
    int index = Collisions.find(hashes, counts, hashes.length, key.hashCode());
    int count = counts[index]++;
    if (count == 0) {
      used++;
      weights[index] = 0;
      factors[index] = 1;
    }
    factors[index] = Math.max(factors[index], factor);
    double added = factors[index] * (weights[index] + count * weight) / 2;
    weights[index] += weight;
    chain = Math.max(chain, count + 1);
    cost += added;
    next(now);
    return added;
  }

  /** What comes next begins, a key. */
  void next(double now) {
    mark = now;
    heightOfAll = Math.max(heightOfAll, height);
    factorOfAll = Math.max(factorOfAll, factor);
    height = 0;
    factor = 1;
  }

  /** Forgets the keys. */
  void end() {
    if (hashes.length > MAX_KEPT) {
      hashes = new int[0];
      counts = new int[0];
      weights = new double[0];
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
    double[] newFactors = new double[capacity];
    for (int from = 0; from < hashes.length; from++) {
      if (counts[from] != 0) {
        int to = Collisions.find(newHashes, newCounts, capacity, hashes[from]);
        newCounts[to] = counts[from];
        newWeights[to] = weights[from];
        newFactors[to] = factors[from];
      }
    }
    hashes = newHashes;
    counts = newCounts;
    weights = newWeights;
    factors = newFactors;
  }
}
