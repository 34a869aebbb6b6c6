package org.ringwire.ring;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.assembly.FrameAssembler;

/**
 * A long frame goes into a lane from where its sender has put it, and another one comes in two
 * parts. Public, because {@link org.ringwire.testing.MutantLoader} makes one.
 */
public final class LongCopyScenario implements BooleanSupplier {

  private static final int LENGTH = 6 << 20;

  private static long longest;
  private static long copied;

  private final ReceiveBufferPool pool = new ReceiveBufferPool(0);
  private final MemorySegment source = MemorySegment.ofArray(new long[LENGTH / Long.BYTES]);
  private final long header = FrameLayout.header(FrameLayout.MESSAGE, 1, LENGTH);

  /** By reflection. */
  public LongCopyScenario() {}

  /** Before each copy of so many bytes. */
  public static void copying(long length) {
    longest = Math.max(longest, length);
    copied += length;
  }

  /** Whether all of both was copied in pieces. */
  @Override
  public boolean getAsBoolean() {
    for (long at = 0; at < LENGTH; at += Long.BYTES) {
      FrameLayout.writeWord(source, at, at);
    }
    FrameLayout.writeWord(source, 0, header);
    try (pool) {
      return isInPieces(this::fillsALane) && isInPieces(this::comesInParts);
    }
  }

  private static boolean isInPieces(BooleanSupplier action) {
    longest = 0;
    copied = 0;
    return action.getAsBoolean() && longest == LongCopy.PIECE && copied >= LENGTH - 8;
  }

  private boolean fillsALane() {
    try (Lane lane = new Lane(pool)) {
      return lane.append(source, 0, LENGTH, header)
          && lane.next()
          && isWhole(lane.memory(), lane.offset());
    }
  }

  private boolean comesInParts() {
    AtomicInteger whole = new AtomicInteger();
    try (FrameAssembler assembler =
        new FrameAssembler(
            (memory, offset, _) -> whole.addAndGet(isWhole(memory, offset) ? 1 : 0),
            LENGTH,
            pool)) {
      long half = LENGTH / 2;
      assembler.received(source, 0, half);
      assembler.received(source, half, LENGTH - half);
    }
    return whole.get() == 1;
  }

  private boolean isWhole(MemorySegment memory, long offset) {
    return MemorySegment.mismatch(source, 0, LENGTH, memory, offset, offset + LENGTH) < 0;
  }
}
