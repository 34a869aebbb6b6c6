package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/**
 * Frames in the ring, from the claim to the commit: encodes what was claimed for, and gives the
 * claim up when the codec fails, so that the ring skips it and nothing of it reaches the peer. Any
 * thread.
 */
final class RingFrames {

  private final OutboundRing ring;
  private final OutboundPipe pipe;
  private final SpaceWaiters waiters;

  RingFrames(OutboundParts parts) {
    ring = parts.ring();
    pipe = parts.pipe();
    waiters = parts.waiters();
  }

  /**
   * Sends what the window has room for; only what fits a frame of the ring.
   *
   * @return false if there is no room, or the ring is sealed
   */
  boolean trySend(Outgoing<?> outgoing, long granted) {
    long position = ring.tryClaim(outgoing.length(), granted);
    if (position < 0) {
      return false;
    }
    encode(outgoing, position, true);
    committed(outgoing, position);
    return true;
  }

  /** As {@link #trySend}, for what the window is not charged for. */
  boolean trySendUncharged(Outgoing<?> outgoing) {
    long position = ring.tryClaimUncharged(outgoing.length());
    if (position < 0) {
      return false;
    }
    encode(outgoing, position, false);
    committed(outgoing, position);
    return true;
  }

  /** Tells who writes of a frame, or of what stands for it, in the ring. */
  void committed(Outgoing<?> outgoing, long position) {
    outgoing.context().countOtherClaim();
    if (outgoing.kind() == FrameLayout.MESSAGE) {
      pipe.messageCommitted(position);
    } else {
      pipe.urgentCommitted(outgoing.context(), ring, position);
    }
  }

  private <T> void encode(Outgoing<T> outgoing, long position, boolean charged) {
    MemorySegment memory = ring.memory();
    long frame = ring.offset(position);
    boolean encoded = false;
    try {
      outgoing.writeCorrelation(memory, frame);
      FrameEncoder.encodeInRing(
          outgoing.context(),
          outgoing.type(),
          outgoing.codec(),
          outgoing.message(),
          memory,
          frame,
          frame + outgoing.bodyOffset(),
          outgoing.bodyLength());
      encoded = true;
    } finally {
      if (encoded) {
        ring.commit(position, outgoing.header());
      } else if (charged) {
        abort(position, outgoing.length());
      } else {
        ring.abortUncharged(position, outgoing.length());
      }
    }
  }

  /** Gives up a frame that was charged. */
  void abort(long position, int length) {
    ring.abort(position, length);
    pipe.drain(); // what is aborted makes room once it is skipped
    waiters.signal();
  }
}
