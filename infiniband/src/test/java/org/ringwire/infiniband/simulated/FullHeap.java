package org.ringwire.infiniband.simulated;

import org.jspecify.annotations.Nullable;

/**
 * The heap of a process that was made for it, to the last object. The process is to be run with
 * little heap, and without buffers of threads ({@code -XX:-UseTLAB}), in which there is room left.
 */
public final class FullHeap {

  private static final int ROUNDS = 4;

  private static @Nullable Block blocks;

  private FullHeap() {}

  /** What heap is filled with; large ones first, for speed. */
  private record Block(@Nullable Block next, byte @Nullable [] ballast) {}

  /** Fills it; more than once, since what is thrown at the end lets the collector find more. */
  public static void fill() {
    fill(64 << 10);
    for (int i = 0; i < ROUNDS; i++) {
      fill(0);
    }
  }

  private static void fill(int length) {
    try {
      while (true) {
        blocks = new Block(blocks, length == 0 ? null : new byte[length]);
      }
    } catch (OutOfMemoryError e) {
      // full
    }
  }

  /** Lets go of all. */
  public static void empty() {
    blocks = null;
  }
}
