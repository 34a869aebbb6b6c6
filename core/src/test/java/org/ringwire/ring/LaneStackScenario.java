package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/**
 * A stack ends at each of the steps by which a frame is appended to a lane. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class LaneStackScenario implements BooleanSupplier {

  private static final int MOST_PLACES = 100;
  private static final int MOST_LOOKS = 10;
  private static int left = Integer.MAX_VALUE;

  private final MemorySegment source = MemorySegment.ofArray(new long[2 << 10]);
  private final ReceiveBufferPool pool = new ReceiveBufferPool(0);
  private boolean clean = true;

  /** By reflection. */
  public LaneStackScenario() {}

  /** Called at the end of each step. */
  public static void between() {
    if (--left < 0) {
      throw new StackOverflowError("as if the stack was at its end");
    }
  }

  /** Whether each lane came to its end, and has given back its memory. */
  @Override
  public boolean getAsBoolean() {
    try (pool) {
      return endsEverywhere(false, 24)
          && endsEverywhere(true, 24)
          && endsEverywhere(true, 8 << 10) // in another chunk
          && clean;
    }
  }

  /** Appends with ever more stack, until it suffices; each time to another lane. */
  private boolean endsEverywhere(boolean behindAnother, int length) {
    int ends = 0;
    for (int enough = 0; enough < MOST_PLACES; enough++) {
      Lane lane = new Lane(pool);
      if (behindAnother) {
        append(lane, 24);
      }
      left = enough;
      boolean ended = !tryAppend(lane, length);
      left = Integer.MAX_VALUE;
      clean &= comesToItsEnd(lane);
      clean &= pool.outstanding() == 0;
      if (!ended) {
        return ends > 1;
      }
      ends++;
    }
    return false;
  }

  private boolean tryAppend(Lane lane, int length) {
    try {
      append(lane, length);
      return true;
    } catch (StackOverflowError e) {
      return false; // the link ends
    }
  }

  private void append(Lane lane, int length) {
    boolean _ = lane.append(source, 0, length, RingFixture.message(length));
  }

  private static boolean comesToItsEnd(Lane lane) {
    for (int look = 0; look < MOST_LOOKS; look++) {
      while (lane.next()) {
        lane.release();
      }
      if (lane.settle()) {
        return true;
      }
    }
    return false;
  }
}
