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
  private static final int LONG = (int) NEAR / 4;

  private static boolean starved;

  private final OutboundRing ring =
      new OutboundRing(
          MemorySegment.ofArray(new long[(int) (2 * NEAR / 8)]), RingLayout.newCursors());

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
    for (int frames = 0; frames < 4; frames++) {
      send(LONG);
    }
    boolean charged = ring.chargedBytes() == NEAR;
    return charged
        && isRefused(() -> ring.tryClaim(16, UNLIMITED))
        && isRefused(() -> ring.tryClaimUncharged(16))
        && isRefused(() -> ring.tryCharge(100, UNLIMITED) ? 1 : 0)
        && ring.tryCharge(100, UNLIMITED)
        && ring.chargedBytes() == NEAR + 100
        && send(16) == NEAR + 8
        && ring.consumer().scan(UNLIMITED) == NEAR;
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
