package org.ringwire.engine.outbound;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.wire.FrameLayout;

/**
 * Puts messages into the ring of one link, or beside it when they are too long. Any thread.
 *
 * <p>The codec runs exactly once per message, over memory that was claimed for exactly the length
 * that it announced. If it throws or writes another length, the claim is aborted: the ring skips it
 * and nothing of it reaches the peer.
 */
@SuppressWarnings("ReferenceEquality") // the one codec that copies
public final class MessageSender {

  private static final int DETACHED_LENGTH = OutboundStream.DESCRIPTOR_LENGTH;

  /** Bytes that a one-way message occupies beyond its body, at most. */
  private static final int LONGEST_OVERHEAD = FrameLayout.HEADER_LENGTH + FrameLayout.ALIGNMENT - 1;

  private final OutboundRing ring;
  private final OutboundPipe pipe;
  private final OutboundStream stream;
  private final SendWindow window;
  private final SpaceWaiters waiters;
  private final LargeFrames largeFrames;
  private final SlowEncoders slowEncoders;
  private final AnnouncedTypes announced = new AnnouncedTypes();
  private final int maxMessageLength;
  private final int longestBody;
  private volatile boolean closed;
  private volatile boolean ending; // set before the ring is sealed

  /** Bytes that the frame occupies that was refused last without waiting. */
  private volatile long refused = FrameLayout.ALIGNMENT;

  public MessageSender(
      OutboundRing ring,
      OutboundPipe pipe,
      OutboundStream stream,
      SendWindow window,
      SpaceWaiters waiters,
      LargeFrames largeFrames,
      SlowEncoders slowEncoders,
      int maxMessageLength) {
    this.ring = ring;
    this.pipe = pipe;
    this.stream = stream;
    this.window = window;
    this.waiters = waiters;
    this.largeFrames = largeFrames;
    this.slowEncoders = slowEncoders;
    this.maxMessageLength = maxMessageLength;
    longestBody = ring.maxFrameLength() - LONGEST_OVERHEAD;
  }

  /** The handshake has told the peer of this type. */
  public void announced(int typeId) {
    announced.add(typeId);
  }

  /** Whether the peer was told of a type. */
  public boolean hasAnnounced(MessageType<?> type) {
    return announced.contains(type.id());
  }

  /**
   * Refuses messages and requests from now on. What was accepted goes out, and so do responses: the
   * ring takes no more, but they find their way beside it.
   */
  public void endMessages() {
    ending = true;
    ring.seal();
    waiters.signal();
  }

  /** Refuses whatever comes from now on; what is in the ring stays. */
  public void close() {
    closed = true;
    ending = true;
    ring.seal();
    waiters.signal();
    largeFrames.close();
  }

  /**
   * Sends a one-way message of a type that this sender has accepted before, if that can be done at
   * once. Nearly every message goes this way, which is therefore short, also in calls: the compiler
   * inlines only so deep.
   *
   * @return ACCEPTED, BACK_PRESSURED or CLOSED
   */
  public <T> SendStatus sendAgain(
      SendContext context, MessageType<?> type, Codec<T> codec, T message) {
    int bodyLength = FrameEncoder.lengthOf(type, codec, message, maxMessageLength);
    if (bodyLength > longestBody
        || bodyLength + LONGEST_OVERHEAD > window.creditedFrameLimit()
        || slowEncoders.hasAny()) {
      return sendAny(
          context, type, codec, message, FrameLayout.MESSAGE, 0, bodyLength, Long.MIN_VALUE);
    }
    int length = FrameLayout.HEADER_LENGTH + bodyLength;
    long position = ring.tryClaim(length, window.granted());
    if (position < 0) {
      return refuse(length);
    }
    try {
      encodeMessage(context, type, codec, message, position, length);
    } catch (IllegalStateException e) {
      return closedOr(e);
    }
    pipe.messageCommitted(position);
    return SendStatus.ACCEPTED;
  }

  private SendStatus refuse(int length) {
    refused = FrameLayout.occupied(length);
    return ending ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
  }

  private <T> void encodeMessage(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      long position,
      int length) {
    OutboundRing claimed = ring;
    MemorySegment memory = claimed.memory();
    long frame = claimed.offset(position);
    boolean encoded = false;
    try {
      FrameEncoder.encodeInRing(
          context,
          type,
          codec,
          message,
          memory,
          frame,
          frame + FrameLayout.HEADER_LENGTH,
          length - FrameLayout.HEADER_LENGTH);
      encoded = true;
    } finally {
      if (!encoded) {
        abort(position, length);
      }
    }
    claimed.commit(position, FrameLayout.header(FrameLayout.MESSAGE, type.id(), length));
  }

  /** Gives up a frame that was charged. */
  private void abort(long position, int length) {
    ring.abort(position, length);
    pipe.drain(); // what is aborted makes room once it is skipped
    waiters.signal();
  }

  /** The ring's memory was freed under a sender that came too late, or else something is wrong. */
  private SendStatus closedOr(IllegalStateException e) {
    if (closed && ring.isFreed()) {
      return SendStatus.CLOSED;
    }
    throw e;
  }

  /**
   * Sends a one-way message or a request.
   *
   * @param kind {@link FrameLayout#MESSAGE} or {@link FrameLayout#REQUEST}
   * @param deadlineNs until when to wait for room; {@link Long#MIN_VALUE} never waits
   * @return ACCEPTED, BACK_PRESSURED (the deadline passed) or CLOSED
   */
  public <T> SendStatus send(
      MessageType<?> type, Codec<T> codec, T message, int kind, long correlation, long deadlineNs) {
    return send(SendContext.current(), type, codec, message, kind, correlation, deadlineNs);
  }

  /** As above, for a caller that has the thread's context at hand. */
  public <T> SendStatus send(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      long deadlineNs) {
    int bodyLength = FrameEncoder.lengthOf(type, codec, message, maxMessageLength);
    return sendAny(context, type, codec, message, kind, correlation, bodyLength, deadlineNs);
  }

  private <T> SendStatus sendAny(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength,
      long deadlineNs) {
    try {
      if (slowEncoders.contains(type.id()) && !EncodedMessage.isCopy(codec)) {
        return sendApart(context, type, codec, message, kind, correlation, bodyLength, deadlineNs);
      }
      return send(context, type, codec, message, kind, correlation, bodyLength, deadlineNs);
    } catch (IllegalStateException e) {
      return closedOr(e);
    }
  }

  /** Encodes before it claims: a codec that blocks delays its own message only. */
  private <T> SendStatus sendApart(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength,
      long deadlineNs) {
    ReceiveBuffer scratch = largeFrames.acquire(Math.max(1, bodyLength));
    try {
      long startNs = System.nanoTime();
      FrameEncoder.encode(context, type, codec, message, scratch.segment(), 0, bodyLength);
      long endNs = System.nanoTime();
      slowEncoders.encodedApart(type.id(), endNs - startNs, endNs);
      EncodedMessage encoded = new EncodedMessage(scratch.segment(), bodyLength);
      return send(
          context, type, EncodedMessage.COPY, encoded, kind, correlation, bodyLength, deadlineNs);
    } finally {
      scratch.release();
      largeFrames.released(Math.max(1, bodyLength));
    }
  }

  private <T> SendStatus send(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength,
      long deadlineNs) {
    SendStatus status = trySend(context, type, codec, message, kind, correlation, bodyLength);
    if (status != SendStatus.BACK_PRESSURED) {
      return status;
    }
    if (deadlineNs == Long.MIN_VALUE) {
      refused = FrameLayout.occupied(bodyOffset(kind) + (long) bodyLength);
      return status;
    }
    if (context.isInline()) {
      throw new IllegalStateException(
          "an inline handler may not wait for room: register it as POOLED or BLOCKING, or use"
              + " trySend; messageType="
              + type.name());
    }
    SpaceWaiters.Wait wait = waiters.enter();
    try {
      Waits.begin();
      while (true) {
        pipe.drain();
        long ticket =
            waiters.ticket(); // after the drain, which may move it, and before the attempt
        status = trySend(context, type, codec, message, kind, correlation, bodyLength);
        if (status != SendStatus.BACK_PRESSURED || !waiters.await(ticket, deadlineNs)) {
          return status;
        }
      }
    } finally {
      waiters.leave(wait);
    }
  }

  /**
   * Tells somebody when a message like the one that was refused last may be accepted, or never will
   * be, because the link has ended. Any thread.
   *
   * @param unwanted whether nobody cares any more
   * @param action what tells; called by any thread, does not run users' code
   * @return false if that is so already: then the action is not run
   */
  public boolean tryNotify(BooleanSupplier unwanted, Runnable action) {
    pipe.drain();
    return waiters.tryNotify(
        new SpaceWaiters.Notice(() -> unwanted.getAsBoolean() || mayAccept(refused), action));
  }

  /** Whether a frame may be accepted now; no means that {@link SpaceWaiters#signal} is to come. */
  private boolean mayAccept(long occupied) {
    long granted = window.granted();
    if (ending || granted == 0) {
      return ending;
    }
    long limit = window.creditedFrameLimit();
    if (occupied > limit) {
      return largeFrames.mayTakeGrant(occupied) && ring.hasRoom(0, DETACHED_LENGTH, granted);
    }
    return ring.hasRoom(
        occupied, occupied > ring.maxFrameLength() ? DETACHED_LENGTH : occupied, granted);
  }

  private <T> SendStatus trySend(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength) {
    if (!announced.contains(type.id())) {
      SendStatus status = announce(type);
      if (status != SendStatus.ACCEPTED) {
        return status;
      }
    }
    int length = bodyOffset(kind) + bodyLength;
    long occupied = FrameLayout.occupied(length);
    if (window.granted() == 0) {
      return ending ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED; // not opened by the peer yet
    }
    if (occupied > ring.maxFrameLength() || occupied > window.creditedFrameLimit()) {
      return trySendLarge(context, type, codec, message, kind, correlation, bodyLength);
    }
    long position = ring.tryClaim(length, window.granted());
    if (position < 0) {
      return ending ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
    }
    encodeInRing(context, type, codec, message, kind, correlation, position, length, true);
    committed(context, kind, position);
    return SendStatus.ACCEPTED;
  }

  /** Why nothing can be sent, for people, if it is for want of memory; else null. */
  public @Nullable String lacksMemory() {
    return ring.isResting() && !MemoryBudget.hasRoom(ring.capacity())
        ? MemoryBudget.refusal(ring.capacity())
        : null;
  }

  private void committed(SendContext context, int kind, long position) {
    if (kind == FrameLayout.MESSAGE) {
      pipe.messageCommitted(position);
    } else {
      pipe.urgentCommitted(context, ring, position);
    }
  }

  private <T> void encodeInRing(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      long position,
      int length,
      boolean charged) {
    long offset = ring.offset(position);
    boolean encoded = false;
    try {
      if (kind != FrameLayout.MESSAGE) {
        FrameLayout.writeWord(ring.memory(), offset + FrameLayout.HEADER_LENGTH, correlation);
      }
      int bodyOffset = bodyOffset(kind);
      long body = offset + bodyOffset;
      FrameEncoder.encodeInRing(
          context, type, codec, message, ring.memory(), offset, body, length - bodyOffset);
      encoded = true;
    } finally {
      if (encoded) {
        ring.commit(position, FrameLayout.header(kind, type.id(), length));
      } else if (charged) {
        abort(position, length);
      } else {
        ring.abortUncharged(position, length);
      }
    }
  }

  private <T> SendStatus trySendLarge(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength) {
    long occupied = FrameLayout.occupied(bodyOffset(kind) + (long) bodyLength);
    boolean needsGrant = occupied > window.creditedFrameLimit();
    if (ending) {
      return SendStatus.CLOSED;
    }
    LargeFrames.checkMemory(occupied);
    long position = ring.tryClaimUncharged(DETACHED_LENGTH);
    if (position < 0) {
      return SendStatus.BACK_PRESSURED;
    }
    long grant = needsGrant ? largeFrames.tryTakeGrant(occupied) : LargeFrames.NO_GRANT;
    boolean paid =
        needsGrant ? grant != LargeFrames.NO_GRANT : ring.tryCharge(occupied, window.granted());
    DetachedFrame frame = null;
    try {
      if (paid) {
        frame =
            encodeDetached(
                context, type, codec, message, kind, correlation, bodyLength, needsGrant);
      }
    } finally {
      if (frame == null) {
        ring.abortUncharged(position, DETACHED_LENGTH);
        if (paid && needsGrant) {
          largeFrames.returnGrant(grant, occupied);
        } else if (paid) {
          ring.uncharge(occupied);
        }
        if (paid) {
          waiters.signal();
        }
      }
    }
    if (frame == null) {
      pipe.drain();
      return SendStatus.BACK_PRESSURED;
    }
    stream.keep(ring, position, frame);
    committed(context, kind, position);
    return SendStatus.ACCEPTED;
  }

  private <T> DetachedFrame encodeDetached(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength,
      boolean granted) {
    int bodyOffset = bodyOffset(kind);
    int length = bodyOffset + bodyLength;
    long occupied = FrameLayout.occupied(length);
    boolean response = kind == FrameLayout.RESPONSE;
    ReceiveBuffer buffer =
        response ? largeFrames.acquireResponse(occupied) : largeFrames.acquire(occupied);
    boolean encoded = false;
    try {
      MemorySegment memory = buffer.segment();
      FrameLayout.writeWord(memory, occupied - FrameLayout.ALIGNMENT, 0);
      long header = FrameLayout.header(kind, type.id(), length);
      FrameLayout.writeWord(memory, 0, granted ? FrameLayout.granted(header) : header);
      if (kind != FrameLayout.MESSAGE) {
        FrameLayout.writeWord(memory, FrameLayout.HEADER_LENGTH, correlation);
      }
      FrameEncoder.encode(context, type, codec, message, memory, bodyOffset, bodyLength);
      encoded = true;
    } finally {
      if (!encoded) {
        new DetachedFrame(largeFrames, buffer, occupied, !response).release();
      }
    }
    return new DetachedFrame(largeFrames, buffer, occupied, !response);
  }

  /**
   * Sends a response; never waits. If the ring is full it goes out beside it: the requester has
   * reserved the space. If it is longer than that reservation it goes out when it is granted.
   *
   * @return ACCEPTED or CLOSED
   */
  public <T> SendStatus respond(
      MessageType<?> type, Codec<T> codec, T message, long correlation, long reservation) {
    try {
      return tryRespond(type, codec, message, correlation, reservation);
    } catch (IllegalStateException e) {
      return closedOr(e);
    }
  }

  private <T> SendStatus tryRespond(
      MessageType<?> type, Codec<T> codec, T message, long correlation, long reservation) {
    int bodyLength = FrameEncoder.lengthOf(type, codec, message, maxMessageLength);
    SendContext context = SendContext.current();
    boolean known = announced.contains(type.id()) || announce(type) == SendStatus.ACCEPTED;
    int length = bodyOffset(FrameLayout.RESPONSE) + bodyLength;
    long occupied = FrameLayout.occupied(length);
    boolean needsGrant = occupied > reservation;
    boolean fits = !needsGrant && occupied <= ring.maxFrameLength();
    if (known && fits && !slowEncoders.contains(type.id())) {
      long position = ring.tryClaimUncharged(length);
      if (position >= 0) {
        encodeInRing(
            context,
            type,
            codec,
            message,
            FrameLayout.RESPONSE,
            correlation,
            position,
            length,
            false);
        pipe.urgentCommitted(context, ring, position);
        return SendStatus.ACCEPTED;
      }
    }
    if (closed) {
      return SendStatus.CLOSED;
    }
    LargeFrames.checkMemory(occupied);
    DetachedFrame frame =
        encodeDetached(
            context,
            type,
            codec,
            message,
            FrameLayout.RESPONSE,
            correlation,
            bodyLength,
            needsGrant);
    if (!known) {
      stream.overflow(detach(FrameEncoder.announcementOf(type).encode()));
    }
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
   * Ends a request of the peer with an error; never waits.
   *
   * @return false if the peer, which does not read, must not be kept any longer
   */
  public boolean fail(byte[] failureFrame) {
    try {
      tryFail(failureFrame);
    } catch (IllegalStateException e) {
      closedOr(e);
    }
    return !largeFrames.hasTooManyResponses();
  }

  private void tryFail(byte[] failureFrame) {
    long position = ring.tryClaimUncharged(failureFrame.length);
    if (position >= 0) {
      FrameBytes.commit(ring, position, failureFrame);
      pipe.urgentCommitted(SendContext.current(), ring, position);
    } else if (!closed) {
      stream.overflow(detach(failureFrame));
      pipe.drain();
    }
  }

  /** The receiver has granted a frame that was announced. */
  public void granted(long token) {
    DetachedFrame response = largeFrames.granted(token);
    if (response != null) {
      stream.overflow(response);
      pipe.drain();
    } else {
      waiters.signal();
    }
  }

  private DetachedFrame detach(byte[] frame) {
    ReceiveBuffer buffer = largeFrames.acquireFailure(frame.length);
    FrameBytes.copy(frame, 0, buffer.segment(), 0, frame.length);
    return new DetachedFrame(largeFrames, buffer, frame.length, false);
  }

  /** Announcements are exempt from credit: the peer keeps them only for types that it knows. */
  private SendStatus announce(MessageType<?> type) {
    byte[] frame = FrameEncoder.announcementOf(type).encode();
    boolean fits = frame.length <= ring.maxFrameLength();
    DetachedFrame apart = fits ? null : detach(frame);
    long position = ring.tryClaimUncharged(fits ? frame.length : DETACHED_LENGTH);
    if (position < 0) {
      if (apart != null) {
        apart.release();
      }
      return ending ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
    }
    if (apart != null) {
      stream.keep(ring, position, apart);
    } else {
      FrameBytes.commit(ring, position, frame);
    }
    announced.add(type.id());
    return SendStatus.ACCEPTED;
  }

  private static int bodyOffset(int kind) {
    return kind == FrameLayout.MESSAGE
        ? FrameLayout.HEADER_LENGTH
        : FrameLayout.HEADER_LENGTH + FrameLayout.CORRELATION_LENGTH;
  }
}
