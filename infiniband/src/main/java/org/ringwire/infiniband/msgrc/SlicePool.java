package org.ringwire.infiniband.msgrc;

/**
 * Equal slices of one piece of memory, by number. Slices that come back are given out again in
 * ascending order as far as that is known, so that those of one request mostly lie side by side.
 * The receive thread only.
 */
final class SlicePool {

  private final int[] free;
  private int count;

  /** All of so many slices are there. */
  SlicePool(int slices) {
    free = new int[slices];
    for (int i = 0; i < slices; i++) {
      free[i] = slices - 1 - i;
    }
    count = slices;
  }

  /** Number of slices that are there. */
  int available() {
    return count;
  }

  /**
   * Takes slices.
   *
   * @param into gets their numbers from an index on
   * @return false if there are too few; then none is taken
   */
  boolean take(int[] into, int from, int slices) {
    if (count < slices) {
      return false;
    }
    for (int i = 0; i < slices; i++) {
      into[from + i] = free[--count];
    }
    return true;
  }

  /** Gives slices back, which were taken. */
  void give(int[] numbers, int from, int slices) {
    if (count + slices > free.length) {
      throw new IllegalStateException("slices given back twice: available=" + count);
    }
    for (int i = slices - 1; i >= 0; i--) {
      free[count++] = numbers[from + i];
    }
  }
}
