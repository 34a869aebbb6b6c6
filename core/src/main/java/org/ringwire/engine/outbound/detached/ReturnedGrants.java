package org.ringwire.engine.outbound.detached;

/**
 * Grants that are returned when there is no heap to keep them elsewhere, from one look of the timer
 * to the next. Those for which there is no room are lost until the link ends. Guarded by its owner.
 */
final class ReturnedGrants {

  private static final int MOST = 16;

  private final long[] tokens = new long[MOST];
  private final long[] lengths = new long[MOST];
  private int count;

  void add(long token, long length) {
    if (count < MOST) {
      tokens[count] = token;
      lengths[count] = length;
      count++;
    }
  }

  /**
   * Takes all out, one after the other: what is added meanwhile takes the place of those that were
   * looked at.
   *
   * @return how many there were
   */
  int takeAll() {
    int taken = count;
    count = 0;
    return taken;
  }

  /** Of one that was taken out. */
  long token(int index) {
    return tokens[index];
  }

  /** Of one that was taken out. */
  long length(int index) {
    return lengths[index];
  }
}
