package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.ringwire.wire.FrameLayout;

/**
 * Claims and charges that need marks for which there is no heap the first time. The library is
 * changed so that it asks {@link #allocate} before it makes them.
 */
public final class MarksScenario implements BooleanSupplier {

  private static final long UNLIMITED = Long.MAX_VALUE;
  private static final long NEAR = FrameMarks.NEAR_SPAN;
  private static final long MIDDLE = FrameMarks.MIDDLE_SPAN;

  private static boolean starved;

  private final OutboundRing ring =
      new OutboundRing(
          MemorySegment.ofArray(new long[(int) (2 * MIDDLE / 8)]), RingLayout.newCursors());

  /** To be run once. */
  public MarksScenario() {}

  /** Before marks are made. */
  public static void allocate() {
    if (starved) {
      throw new OutOfMemoryError("as a test wants it");
    }
  }

  /** Whether nothing has changed where there was no heap, and all goes on when there is. */
  @Override
  public boolean getAsBoolean() {
    return isRefusedFrom(NEAR, 0)
        && isRefusedFrom(MIDDLE, 100)
        && ring.consumer().scan(UNLIMITED) == NEAR;
  }

  /**
   * Where there are no marks yet, after so many bytes that were charged and are not in the ring.
   */
  private boolean isRefusedFrom(long offset, long besides) {
    for (long left = offset - ring.claimed(); left > 0; left = offset - ring.claimed()) {
      send((int) Math.min(left, NEAR / 4));
    }
    boolean charged = ring.chargedBytes() == offset + besides - (besides == 0 ? 0 : 8);
    return charged
        && isRefused(() -> ring.tryClaim(16, UNLIMITED))
        && isRefused(() -> ring.tryClaimUncharged(16))
        && isRefused(() -> ring.tryCharge(100, UNLIMITED) ? 1 : 0)
        && ring.tryCharge(100, UNLIMITED)
        && send(16) == offset + 8;
  }

  private long send(int length) {
    long position = ring.tryClaim(length, UNLIMITED);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 7, length));
    return position;
  }

  private boolean isRefused(LongSupplier claim) {
    long claimed = ring.claimed();
    long charged = ring.chargedBytes();
    starved = true;
    try {
      return claim.getAsLong() == Long.MIN_VALUE; // it was not refused
    } catch (OutOfMemoryError e) {
      return ring.claimed() == claimed && ring.chargedBytes() == charged;
    } finally {
      starved = false;
    }
  }
}
