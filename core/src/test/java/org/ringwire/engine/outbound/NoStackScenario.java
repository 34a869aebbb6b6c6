package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.detached.DetachedFrame;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.assembly.FrameAssembler;

/**
 * A stack ends wherever bytes are about to be copied to a buffer, or from one to a longer one: of
 * control frames, and of a frame that comes in pieces; or when a frame has been put where it is
 * kept, or a buffer was given back. Public, because {@link org.ringwire.testing.MutantLoader} makes
 * one.
 */
public final class NoStackScenario implements BooleanSupplier {

  private static final int PIECE = 48 << 10;
  private static final int MOST_PLACES = 100;
  private static int left = Integer.MAX_VALUE;

  private final ReceiveBufferPool buffers = new ReceiveBufferPool(1 << 20);
  private boolean clean = true;

  /** By reflection. */
  public NoStackScenario() {}

  /** Called whenever the memory of a buffer is asked for, and when a frame was put somewhere. */
  public static void between() {
    if (--left < 0) {
      throw new StackOverflowError("as if the stack was at its end");
    }
  }

  /** Whether every buffer came back, once, wherever it was, and it was in several places. */
  @Override
  public boolean getAsBoolean() {
    try (buffers) {
      return endsEverywhere(2, this::offerControl)
          && endsEverywhere(2, this::putTogether)
          && endsEverywhere(1, this::keepFrame)
          && endsEverywhere(4, this::sendFrames)
          && clean;
    }
  }

  /** Runs something with ever more stack, until it suffices. */
  private boolean endsEverywhere(int leastPlaces, Runnable action) {
    int ends = 0;
    for (int enough = 0; enough < MOST_PLACES; enough++) {
      left = enough;
      action.run();
      boolean ended = left < 0;
      left = Integer.MAX_VALUE;
      clean &= buffers.outstanding() == 0;
      if (!ended) {
        return ends >= leastPlaces;
      }
      ends++;
    }
    return false;
  }

  private void offerControl() {
    ControlQueue control = new ControlQueue();
    OutboundStream stream = new OutboundStream(control, () -> new byte[0], buffers);
    boolean _ = control.add(new byte[4000]);
    boolean _ = control.add(new byte[ReceiveBufferPool.LASTING_LENGTH]); // beyond the first buffer
    try {
      long _ = stream.next(new OutboundRanges(2));
    } catch (StackOverflowError e) {
      // the link ends
    }
    closeWithStack(stream::close);
  }

  private void putTogether() {
    FrameAssembler assembler = new FrameAssembler((_, _, _) -> {}, 16 * PIECE, buffers);
    byte[] frame = new byte[8 * PIECE];
    FrameLayout.writeWord(
        MemorySegment.ofArray(frame), 0, FrameLayout.header(FrameLayout.MESSAGE, 1, frame.length));
    try {
      for (int at = 0; at < frame.length; at += PIECE) {
        assembler.received(MemorySegment.ofArray(frame), at, PIECE);
      }
    } catch (StackOverflowError e) {
      // the link ends
    }
    closeWithStack(assembler::close);
  }

  private void keepFrame() {
    ControlQueue control = new ControlQueue();
    OutboundStream stream = new OutboundStream(control, () -> new byte[0], buffers);
    LargeFrames largeFrames = new LargeFrames(buffers, control, Long.MAX_VALUE);
    try (NativeMemory.Scope scope = NativeMemory.open("test")) {
      OutboundRing ring = OutboundRing.over(scope.allocate(4096, 128));
      stream.ring(ring);
      long position = ring.tryClaimUncharged(OutboundStream.DESCRIPTOR_LENGTH);
      DetachedFrame frame =
          new DetachedFrame(largeFrames, largeFrames.memory().acquire(PIECE), PIECE, true);
      try {
        stream.keep(ring, position, frame);
      } catch (StackOverflowError e) {
        // the message was not accepted
      }
      closeWithStack(stream::close);
    }
    clean &= largeFrames.inFlightBytes() == 0;
  }

  private void sendFrames() {
    ControlQueue control = new ControlQueue();
    OutboundStream stream = new OutboundStream(control, () -> new byte[0], buffers);
    LargeFrames largeFrames = new LargeFrames(buffers, control, Long.MAX_VALUE);
    boolean _ = control.add(new byte[16]);
    try (NativeMemory.Scope scope = NativeMemory.open("test")) {
      OutboundRing ring = OutboundRing.over(scope.allocate(4096, 128));
      stream.ring(ring);
      long position = ring.tryClaimUncharged(OutboundStream.DESCRIPTOR_LENGTH);
      DetachedFrame frame =
          new DetachedFrame(largeFrames, largeFrames.memory().acquire(PIECE), PIECE, true);
      try {
        stream.keep(ring, position, frame);
        stream.sentAndCompleted(stream.next(new OutboundRanges(2)));
      } catch (StackOverflowError e) {
        // the link ends
      }
      closeWithStack(stream::close);
    }
    clean &= largeFrames.inFlightBytes() == 0;
  }

  private static void closeWithStack(Runnable close) {
    int before = left;
    left = Integer.MAX_VALUE;
    close.run();
    left = before;
  }
}
