package org.ringwire.testing;

import org.jspecify.annotations.Nullable;

/** Takes all heap of a process that was made for it. */
public final class HeapShortage {

  private static final int LARGE = 64 << 10;

  private HeapShortage() {}

  /** What heap is taken with: linked, as an array that finds no heap to grow would leave much. */
  private record Block(@Nullable Block next, @Nullable Object ballast) {}

  /**
   * Takes all heap that there is, to the last object, again and again, and lets it go in the end.
   *
   * @param ns for how long
   */
  public static void last(long ns) {
    long deadlineNs = System.nanoTime() + ns;
    @Nullable Block taken = null;
    while (System.nanoTime() - deadlineNs < 0) {
      taken = take(taken, LARGE, deadlineNs);
      taken = take(taken, 0, deadlineNs);
    }
  }

  /** Until there is no more, unless others go on to let go of a little each time. */
  private static @Nullable Block take(@Nullable Block before, int length, long deadlineNs) {
    Block taken = before;
    try {
      while (System.nanoTime() - deadlineNs < 0) {
        taken = new Block(taken, length == 0 ? null : new byte[length]);
      }
    } catch (OutOfMemoryError e) {
      // until the next garbage is collected
    }
    return taken;
  }
}
