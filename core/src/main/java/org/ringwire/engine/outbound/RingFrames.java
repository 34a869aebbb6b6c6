package org.ringwire.engine.outbound;

import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.outbound.room.SpaceWaiters;
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
  <T> boolean trySend(Outgoing<T> outgoing, long granted) {
    return trySend(
        outgoing.context(),
        outgoing.type(),
        outgoing.codec(),
        outgoing.message(),
        outgoing.kind(),
        outgoing.correlation(),
        outgoing.bodyLength(),
        granted);
  }

  /**
   * As above, of the parts of what is sent: an object for them would cost each request memory, as
   * the compiler does not always see that nobody keeps it.
   */
  <T> boolean trySend(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength,
      long granted) {
    long position = ring.tryClaim(Outgoing.bodyOffset(kind) + bodyLength, granted);
    if (position < 0) {
      return false;
    }
    encode(context, type, codec, message, kind, correlation, bodyLength, position);
    committed(context, kind, position);
    return true;
  }

  /** As {@link #trySend}, for a response, which the window is not charged for. */
  <T> boolean trySendResponse(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      long correlation,
      int bodyLength) {
    int kind = FrameLayout.RESPONSE;
    long position = ring.tryClaimUncharged(Outgoing.bodyOffset(kind) + bodyLength);
    if (position < 0) {
      return false;
    }
    encode(context, type, codec, message, kind, correlation, bodyLength, position);
    committed(context, kind, position);
    return true;
  }

  /** Tells who writes of a frame, or of what stands for it, in the ring. */
  void committed(SendContext context, int kind, long position) {
    context.countOtherClaim();
    if (kind == FrameLayout.MESSAGE) {
      pipe.messageCommitted(position);
    } else {
      pipe.urgentCommitted(context, ring, position);
    }
  }

  private <T> void encode(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength,
      long position) {
    int bodyOffset = Outgoing.bodyOffset(kind);
    long header = FrameLayout.header(kind, type.id(), bodyOffset + bodyLength);
    boolean encoded = false;
    try {
      Outgoing.writeCorrelation(ring.memory(), ring.offset(position), kind, correlation);
      FrameEncoder.encodeInRing(context, type, codec, message, ring, position, header, bodyOffset);
      encoded = true;
    } finally {
      int length = bodyOffset + bodyLength;
      if (encoded) {
        ring.commitOpen(position, header);
      } else if (kind == FrameLayout.RESPONSE) {
        giveUp(position, length);
      } else {
        abort(position, length);
      }
    }
  }

  /** Puts a frame whose bytes exist where it was claimed without charge, or gives its place up. */
  void put(long position, byte[] frame) {
    boolean whole = false;
    try {
      FrameBytes.commit(ring, position, frame);
      whole = true;
    } finally {
      if (!whole) { // there may be no heap, or the ring's memory be gone
        giveUp(position, frame.length);
      }
    }
  }

  /** Gives up a frame that was not charged. */
  void giveUp(long position, int length) {
    ring.abortUncharged(position, length);
    pipe.drain(); // what others have committed behind it could not be written
  }

  /** Gives up a frame that was charged. */
  void abort(long position, int length) {
    ring.abort(position, length);
    pipe.drain(); // what is aborted makes room once it is skipped
    waiters.signal();
  }
}
