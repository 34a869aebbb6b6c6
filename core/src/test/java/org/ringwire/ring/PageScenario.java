package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.ringwire.wire.FrameLayout;

/**
 * Claims and charges that need a page of marks, for which there is no heap the first time. The
 * library is changed so that it asks {@link #allocate} before each page.
 */
public final class PageScenario implements BooleanSupplier {

  private static final long UNLIMITED = Long.MAX_VALUE;
  private static final long PAGE = FrameMarks.pageSpan(OutboundRing.MAX_CAPACITY);
  private static final int LONG = (int) PAGE / 4;

  private static boolean starved;

  private final OutboundRing ring =
      new OutboundRing(
          MemorySegment.ofArray(new long[(int) (2 * PAGE / 8)]), RingLayout.newCursors());

  /** To be run once. */
  public PageScenario() {}

  /** Before a page is made. */
  public static void allocate() {
    if (starved) {
      throw new OutOfMemoryError("as a test wants it");
    }
  }

  /** Whether nothing has changed where there was no heap, and all goes on when there is. */
  @Override
  public boolean getAsBoolean() {
    for (int frames = 0; frames < 3; frames++) {
      send(LONG);
    }
    send(LONG - 8);
    boolean charged = ring.chargedBytes() == PAGE - 8;
    return charged
        && isRefused(() -> ring.tryClaim(16, UNLIMITED))
        && isRefused(() -> ring.tryClaimUncharged(16))
        && isRefused(() -> ring.tryCharge(100, UNLIMITED) ? 1 : 0)
        && ring.tryCharge(100, UNLIMITED)
        && ring.chargedBytes() == PAGE + 92
        && send(16) == PAGE
        && ring.consumer().scan(UNLIMITED) == PAGE - 8;
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
      claim.getAsLong();
      return false;
    } catch (OutOfMemoryError e) {
      return ring.claimed() == claimed && ring.chargedBytes() == charged;
    } finally {
      starved = false;
    }
  }
}
