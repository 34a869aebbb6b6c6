package org.ringwire.engine.outbound.detached;

/** Lengths of frames, the last few. Guarded by its owner. */
final class LastLengths {

  private static final int MOST = 16;

  private final long[] lengths = new long[MOST]; // 0 is none
  private int next;

  void add(long length) {
    lengths[next] = length;
    next = (next + 1) % MOST;
  }

  boolean contains(long length) {
    for (long each : lengths) {
      if (each == length) {
        return true;
      }
    }
    return false;
  }
}
