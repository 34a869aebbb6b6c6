package org.ringwire.engine.outbound.detached;

/**
 * How many wait for a grant, or are to be told of one, by the length of their frames: a table with
 * open addressing. A wait ends also where there is no heap, so only {@link #add} may need some.
 * Guarded by its owner.
 */
final class AwaitedLengths {

  private static final int FIRST_CAPACITY = 16;
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  private long[] lengths = new long[FIRST_CAPACITY];
  private int[] counts = new int[FIRST_CAPACITY]; // 0: the slot is free
  private int size;

  /** Nobody waits. */
  AwaitedLengths() {}

  boolean contains(long length) {
    return counts[find(length)] > 0;
  }

  /** One more; nothing has changed if there is no heap for it. */
  void add(long length) {
    if (2 * (size + 1) > counts.length) {
      grow();
    }
    int slot = find(length);
    size += counts[slot] == 0 ? 1 : 0;
    lengths[slot] = length;
    counts[slot]++;
  }

  /** One less; whether there is none any more. */
  boolean remove(long length) {
    int slot = find(length);
    if (counts[slot] > 1) {
      counts[slot]--;
      return false;
    }
    if (counts[slot] == 1) {
      counts[slot] = 0;
      size--;
      fill(slot);
    }
    return true;
  }

  /** Where it is, or would be. */
  private int find(long length) {
    int slot = home(length);
    while (counts[slot] > 0 && lengths[slot] != length) {
      slot = next(slot);
    }
    return slot;
  }

  private int home(long length) {
    return (int) ((length * SPREAD) >>> 32) & counts.length - 1;
  }

  private int next(int slot) {
    return slot + 1 & counts.length - 1;
  }

  /** Moves those behind a slot that has become free to where they are found. */
  private void fill(int freed) {
    int mask = counts.length - 1;
    int free = freed;
    for (int slot = next(freed); counts[slot] > 0; slot = next(slot)) {
      int way = slot - home(lengths[slot]) & mask;
      if (way >= (slot - free & mask)) {
        lengths[free] = lengths[slot];
        counts[free] = counts[slot];
        counts[slot] = 0;
        free = slot;
      }
    }
  }

  private void grow() {
    long[] oldLengths = lengths;
    int[] oldCounts = counts;
    long[] moreLengths = new long[2 * oldLengths.length];
    int[] moreCounts = new int[2 * oldCounts.length];
    lengths = moreLengths; // once both are there
    counts = moreCounts;
    for (int old = 0; old < oldCounts.length; old++) {
      if (oldCounts[old] > 0) {
        int slot = find(oldLengths[old]);
        lengths[slot] = oldLengths[old];
        counts[slot] = oldCounts[old];
      }
    }
  }
}
