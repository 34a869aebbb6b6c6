package org.ringwire.engine.outbound;

import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.outbound.detached.DetachedFrame;
import org.ringwire.engine.outbound.detached.FrameMemory;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.OutboundSeal;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/**
 * Sends what ends requests of the peer: responses and failures. Any thread; never waits: when the
 * ring is full they go out beside it, since the requester has reserved the space.
 */
public final class ResponseSender {

  private final OutboundRing ring;
  private final OutboundPipe pipe;
  private final OutboundStream stream;
  private final SpaceWaiters waiters;
  private final LargeFrames largeFrames;
  private final SlowEncoders slowEncoders;
  private final OutboundSeal seal;
  private final RingFrames ringFrames;
  private final DetachedFrames detached;
  private final Announcer announcer;
  private final int maxMessageLength;

  ResponseSender(
      OutboundParts parts,
      SlowEncoders slowEncoders,
      OutboundSeal seal,
      RingFrames ringFrames,
      DetachedFrames detached,
      Announcer announcer,
      int maxMessageLength) {
    ring = parts.ring();
    pipe = parts.pipe();
    stream = parts.stream();
    waiters = parts.waiters();
    largeFrames = parts.largeFrames();
    this.slowEncoders = slowEncoders;
    this.seal = seal;
    this.ringFrames = ringFrames;
    this.detached = detached;
    this.announcer = announcer;
    this.maxMessageLength = maxMessageLength;
  }

  /**
   * Sends a response. If it is longer than what the requester has reserved it goes out when it is
   * granted.
   *
   * @return ACCEPTED or CLOSED
   */
  public <T> SendStatus respond(
      MessageType<?> type, Codec<T> codec, T message, long correlation, long reservation) {
    SendContext context = SendContext.current();
    int kind = FrameLayout.RESPONSE;
    int length = FrameEncoder.lengthOf("response", type, codec, message, maxMessageLength);
    long occupied = Outgoing.occupied(kind, length);
    try {
      boolean known =
          announcer.hasAnnounced(type) || announcer.announce(type) == SendStatus.ACCEPTED;
      if (known
          && occupied <= Math.min(reservation, ring.maxFrameLength())
          && !slowEncoders.contains(type.id())
          && ringFrames.trySendResponse(context, type, codec, message, correlation, length)) {
        return SendStatus.ACCEPTED;
      }
      return respondBeside(
          new Outgoing<>(context, type, codec, message, kind, correlation, length),
          occupied > reservation);
    } catch (IllegalStateException e) {
      return seal.closedOr(e);
    }
  }

  private SendStatus respondBeside(Outgoing<?> response, boolean needsGrant) {
    MessageType<?> type = response.type();
    if (seal.isClosed()) {
      return SendStatus.CLOSED;
    }
    FrameMemory.check(response.occupied());
    announcer.announceBeside(type); // first: who has encoded a frame owns its memory
    long startNs = System.nanoTime();
    DetachedFrame frame = detached.encode(response, needsGrant);
    long endNs = System.nanoTime();
    slowEncoders.encodedApart(type.id(), endNs - startNs, endNs); // if it is set apart
    if (!needsGrant) {
      stream.overflow(frame);
    } else if (!largeFrames.announceResponse(frame)) {
      frame.release();
      return SendStatus.CLOSED;
    }
    pipe.drain();
    return SendStatus.ACCEPTED;
  }

  /**
   * Ends a request of the peer with an error.
   *
   * @return false if the peer, which does not read, must not be kept any longer
   */
  public boolean fail(byte[] failureFrame) {
    try {
      tryFail(failureFrame);
    } catch (IllegalStateException e) {
      seal.closedOr(e);
    }
    return !largeFrames.memory().hasTooManyResponses();
  }

  private void tryFail(byte[] failureFrame) {
    long position = ring.tryClaimUncharged(failureFrame.length);
    if (position >= 0) {
      ringFrames.put(position, failureFrame);
      pipe.urgentCommitted(SendContext.current(), ring, position);
    } else if (!seal.isClosed()) {
      stream.overflow(detached.of(failureFrame));
      pipe.drain();
    }
  }

  /**
   * The receiver has granted a frame that was announced: a response, or what a sender waits for.
   */
  public void granted(long token) {
    DetachedFrame response = largeFrames.granted(token);
    if (response != null) {
      stream.overflow(response);
    } else {
      waiters.signal();
    }
    pipe.drain(); // also for what nobody waits for any more, and for what may be announced now
  }
}
