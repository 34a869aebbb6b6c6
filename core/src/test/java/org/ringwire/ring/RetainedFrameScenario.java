package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/**
 * A frame is to be retained, and there is no heap for that. The library is changed so that it asks
 * {@link #allocate} before it makes what stands for the memory.
 */
public final class RetainedFrameScenario implements BooleanSupplier {

  private static final int LENGTH = 24;

  private static boolean starved;

  /** To be run once. */
  public RetainedFrameScenario() {}

  /** Before something is made. */
  public static void allocate() {
    if (starved) {
      throw new OutOfMemoryError("as a test wants it");
    }
  }

  /** Whether all memory is given back when the frame was handled. */
  @Override
  public boolean getAsBoolean() {
    MemorySegment source = MemorySegment.ofArray(new long[LENGTH / Long.BYTES]);
    try (ReceiveBufferPool pool = new ReceiveBufferPool(4 << 20, true);
        Lane lane = new Lane(pool)) {
      boolean _ = lane.append(source, 0, LENGTH, RingFixture.message(LENGTH));
      boolean refused = lane.next() && isRefused(lane);
      lane.release();
      return refused && !lane.next() && lane.settle() && pool.outstanding() == 0;
    }
  }

  private static boolean isRefused(Lane lane) {
    starved = true;
    try (Lane.Retained _ = lane.retain()) {
      return false;
    } catch (OutOfMemoryError e) {
      return true;
    } finally {
      starved = false;
    }
  }
}
