package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.MemoryLimitException;
import org.ringwire.SendStatus;
import org.ringwire.engine.outbound.detached.DetachedFrame;
import org.ringwire.engine.outbound.detached.FrameMemory;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.engine.outbound.room.OutboundSeal;
import org.ringwire.engine.outbound.room.SendWindow;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.wire.FrameLayout;

/**
 * Frames beside the ring: those that are too long for it, with a descriptor in the ring that keeps
 * their place, and those that find it full and may not wait. Any thread.
 */
final class DetachedFrames {

  private static final int DESCRIPTOR_LENGTH = OutboundStream.DESCRIPTOR_LENGTH;

  private final OutboundRing ring;
  private final OutboundPipe pipe;
  private final OutboundStream stream;
  private final SendWindow window;
  private final SpaceWaiters waiters;
  private final LargeFrames largeFrames;
  private final FrameMemory memory;
  private final OutboundSeal seal;
  private final RingFrames ringFrames;

  DetachedFrames(OutboundParts parts, OutboundSeal seal, RingFrames ringFrames) {
    ring = parts.ring();
    pipe = parts.pipe();
    stream = parts.stream();
    window = parts.window();
    waiters = parts.waiters();
    largeFrames = parts.largeFrames();
    memory = largeFrames.memory();
    this.seal = seal;
    this.ringFrames = ringFrames;
  }

  /**
   * Sends a message or request that is too long for the ring, or for the window without a grant.
   *
   * @param wait of the sender, which has begun; or null
   * @return ACCEPTED, BACK_PRESSURED or CLOSED
   * @throws MemoryLimitException if there is no memory for it
   */
  SendStatus trySend(Outgoing<?> outgoing, SpaceWaiters.@Nullable Wait wait) {
    if (seal.endsMessages()) {
      return SendStatus.CLOSED;
    }
    try {
      FrameMemory.check(outgoing.occupied()); // before anything is claimed
      return trySendIfMemory(outgoing, wait);
    } catch (MemoryLimitException e) {
      giveBackGrant(outgoing);
      throw e;
    }
  }

  private SendStatus trySendIfMemory(Outgoing<?> outgoing, SpaceWaiters.@Nullable Wait wait) {
    long position = ring.tryClaimUncharged(DESCRIPTOR_LENGTH);
    if (position < 0) {
      return SendStatus.BACK_PRESSURED;
    }
    boolean kept = false;
    try {
      ring.open(
          ring.memory(),
          position,
          FrameLayout.header(FrameLayout.DETACHED, outgoing.type().id(), DESCRIPTOR_LENGTH));
      kept = keepIfPaid(outgoing, outgoing.occupied(), wait, position);
    } finally {
      if (!kept) {
        ringFrames.giveUp(position, DESCRIPTOR_LENGTH);
      }
    }
    if (!kept) {
      return SendStatus.BACK_PRESSURED;
    }
    ringFrames.committed(outgoing.context(), outgoing.kind(), position);
    return SendStatus.ACCEPTED;
  }

  /**
   * Memory to encode a long message in before there is room for it.
   *
   * @throws MemoryLimitException if there is none
   */
  ReceiveBuffer acquireApart(Outgoing<?> outgoing) {
    try {
      return memory.acquire(outgoing.bodyLength());
    } catch (MemoryLimitException e) {
      giveBackGrant(outgoing);
      throw e;
    }
  }

  /**
   * Who has no memory for what it was granted, or is to be, gives that back at once: the receiver,
   * who may lack memory likewise, keeps it for nobody.
   */
  private void giveBackGrant(Outgoing<?> outgoing) {
    largeFrames.giveBackGrant(outgoing.occupied());
    pipe.drain();
  }

  /** Keeps a frame that is exempt from credit at its place, or gives both up. */
  void keep(long position, DetachedFrame frame) {
    boolean kept = false;
    try {
      stream.keep(ring, position, frame);
      kept = true;
    } finally {
      if (!kept) {
        ringFrames.giveUp(position, DESCRIPTOR_LENGTH);
      }
    }
  }

  /**
   * Encodes and keeps a frame.
   *
   * @return false if neither window nor grant pays for it; gives both back if it is not kept
   */
  private boolean keepIfPaid(
      Outgoing<?> outgoing, long occupied, SpaceWaiters.@Nullable Wait wait, long position) {
    boolean needsGrant = occupied > window.creditedFrameLimit();
    long grant = LargeFrames.NO_GRANT;
    if (needsGrant) {
      if (wait != null && !wait.awaitsGrant) {
        largeFrames.beginAwait(occupied);
        wait.awaitsGrant = true;
      }
      grant = largeFrames.tryTakeGrant(occupied);
      if (grant == LargeFrames.NO_GRANT) {
        return false;
      }
    } else if (!ring.tryCharge(occupied, window.granted())) {
      return false;
    }
    boolean kept = false;
    try {
      DetachedFrame frame = encode(outgoing, needsGrant);
      if (needsGrant) {
        frame.usesGrant();
      }
      stream.keep(ring, position, frame);
      kept = true;
      if (needsGrant && wait != null) {
        wait.usedGrant = true;
      }
      return true;
    } finally {
      if (!kept) {
        if (needsGrant) {
          largeFrames.returnGrant(grant, occupied);
        } else {
          ring.uncharge(occupied);
        }
        waiters.signal();
      }
    }
  }

  /**
   * Encodes a frame, whose owner is the caller.
   *
   * @param granted whether it goes by a grant of its own
   */
  <T> DetachedFrame encode(Outgoing<T> outgoing, boolean granted) {
    long occupied = outgoing.occupied();
    boolean response = outgoing.kind() == FrameLayout.RESPONSE;
    DetachedFrame frame = // there before its memory is acquired, which else nobody would own
        new DetachedFrame(
            largeFrames,
            response ? memory.acquireResponse(occupied) : memory.acquire(occupied),
            occupied,
            !response);
    boolean encoded = false;
    try {
      MemorySegment segment = frame.buffer.segment();
      FrameLayout.writeWord(segment, occupied - FrameLayout.ALIGNMENT, 0); // padding
      long header = outgoing.header();
      FrameLayout.writeWord(segment, 0, granted ? FrameLayout.granted(header) : header);
      outgoing.writeCorrelation(segment, 0);
      FrameEncoder.encode(
          outgoing.context(),
          outgoing.type(),
          outgoing.codec(),
          outgoing.message(),
          segment,
          outgoing.bodyOffset(),
          outgoing.bodyLength());
      encoded = true;
      return frame;
    } finally {
      if (!encoded) {
        frame.release();
      }
    }
  }

  /** A frame whose bytes exist, header included. */
  DetachedFrame of(byte[] bytes) {
    DetachedFrame frame =
        new DetachedFrame(largeFrames, memory.acquireFailure(bytes.length), bytes.length, false);
    FrameBytes.copy(bytes, 0, frame.buffer.segment(), 0, bytes.length);
    return frame;
  }
}
