package org.ringwire.testing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The heap of a process that was made for it, with {@link #OPTIONS}, full to the last object. */
public final class FullHeap {

  /** Little heap, and no buffers of threads, in which there would be room left. */
  public static final List<String> OPTIONS =
      List.of("-Xmx16m", "-XX:+UseSerialGC", "-XX:-UseTLAB", "-XX:-UseGCOverheadLimit");

  private static final int ROUNDS = 4;

  private static @Nullable Block blocks;

  private FullHeap() {}

  /** What heap is filled with; large ones first, for speed. */
  private record Block(@Nullable Block next, @Nullable Object ballast) {}

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
