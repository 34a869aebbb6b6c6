package org.ringwire.testing;

import java.util.ArrayList;
import java.util.List;

/** Takes all heap of a process that was made for it. */
public final class HeapShortage {

  private static final int LARGE = 64 << 10;
  private static final int SMALL = 16;

  private HeapShortage() {}

  /**
   * Takes all heap that there is, again and again, and lets it go in the end.
   *
   * @param ns for how long
   */
  public static void last(long ns) {
    long deadlineNs = System.nanoTime() + ns;
    List<Object> taken = new ArrayList<>();
    while (System.nanoTime() - deadlineNs < 0) {
      take(taken, LARGE, deadlineNs);
      take(taken, SMALL, deadlineNs);
    }
  }

  /** Until there is no more, unless others go on to let go of a little each time. */
  private static void take(List<Object> into, int length, long deadlineNs) {
    try {
      while (System.nanoTime() - deadlineNs < 0) {
        into.add(new byte[length]);
      }
    } catch (OutOfMemoryError e) {
      // until the next garbage is collected
    }
  }
}
