package org.ringwire.engine.outbound;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.engine.outbound.encoding.EncodedMessage;
import org.ringwire.engine.outbound.encoding.ScratchBuffers;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.OutboundSeal;
import org.ringwire.engine.outbound.room.SendWindow;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.wire.FrameLayout;

/**
 * Puts messages and requests into the ring of one link, or beside it when they are too long. Any
 * thread.
 *
 * <p>The codec runs exactly once per message, over memory that was claimed for exactly the length
 * that it announced. If it throws or writes another length, the claim is aborted: the ring skips it
 * and nothing of it reaches the peer.
 */
public final class MessageSender {

  /** Bytes that a one-way message occupies beyond its body, at most. */
  private static final int LONGEST_OVERHEAD = FrameLayout.HEADER_LENGTH + FrameLayout.ALIGNMENT - 1;

  private final OutboundRing ring;
  private final OutboundPipe pipe;
  private final SendWindow window;
  private final SpaceWaiters waiters;
  private final LargeFrames largeFrames;
  private final SlowEncoders slowEncoders;
  private final ScratchBuffers scratch;
  private final OutboundSeal seal;
  private final RingFrames ringFrames;
  private final DetachedFrames detached;
  private final Announcer announcer;
  private final ResponseSender responses;
  private final RoomNotices notices;
  private final int maxMessageLength;
  private final int longestBody;

  /**
   * A sender over a link that is open.
   *
   * @param maxMessageLength of a body, in bytes; the lower one of both sides
   */
  public MessageSender(OutboundParts parts, SlowEncoders slowEncoders, int maxMessageLength) {
    ring = parts.ring();
    pipe = parts.pipe();
    window = parts.window();
    waiters = parts.waiters();
    largeFrames = parts.largeFrames();
    this.slowEncoders = slowEncoders;
    scratch = new ScratchBuffers(largeFrames.memory().buffers());
    this.maxMessageLength = maxMessageLength;
    longestBody = ring.maxFrameLength() - LONGEST_OVERHEAD;
    seal = new OutboundSeal(ring, waiters);
    notices = new RoomNotices(parts, seal);
    ringFrames = new RingFrames(parts);
    detached = new DetachedFrames(parts, seal, ringFrames);
    announcer = new Announcer(parts, seal, detached, ringFrames);
    responses =
        new ResponseSender(
            parts, slowEncoders, seal, ringFrames, detached, announcer, maxMessageLength);
  }

  /** What ends requests of the peer over the same link. */
  public ResponseSender responses() {
    return responses;
  }

  /** The handshake has told the peer of this type. */
  public void announced(int typeId) {
    announcer.add(typeId);
  }

  /** Whether the peer was told of a type. */
  public boolean hasAnnounced(MessageType<?> type) {
    return announcer.hasAnnounced(type);
  }

  /**
   * Refuses messages and requests from now on. What was accepted goes out, and so do responses: the
   * ring takes no more, but they find their way beside it.
   */
  public void endMessages() {
    seal.endMessages();
  }

  /** Refuses whatever comes from now on; what is in the ring stays. */
  public void close() {
    seal.close();
    largeFrames.close();
    scratch.close();
  }

  /** Gives back memory that is kept for the next messages; nothing is lost by it. */
  public void rest() {
    scratch.empty();
  }

  /**
   * Sends a one-way message of a type that this sender has accepted before, if that can be done at
   * once. Nearly every message goes this way, which is therefore short, also in calls: the compiler
   * inlines only so deep.
   *
   * @param route the thread's, which leads here
   * @param waits whether the caller waits for room next if there is none: then what is encoded
   *     before there is room is left to that, as it is encoded once
   * @return ACCEPTED, BACK_PRESSURED or CLOSED
   */
  <T> SendStatus sendAgain(
      SendContext context,
      Route route,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      boolean waits) {
    int bodyLength = FrameEncoder.lengthOf("message", type, codec, message, maxMessageLength);
    if (bodyLength > longestBody
        || bodyLength + LONGEST_OVERHEAD > window.creditedFrameLimit()
        || slowEncoders.hasAny()) {
      return waits && slowEncoders.contains(type.id())
          ? SendStatus.BACK_PRESSURED
          : send(
              new Outgoing<>(context, type, codec, message, FrameLayout.MESSAGE, 0, bodyLength),
              Long.MIN_VALUE);
    }
    int length = FrameLayout.HEADER_LENGTH + bodyLength;
    long position;
    try {
      position = ring.tryClaim(length, window.granted());
      if (position < 0) {
        return refuse(context, length, position);
      }
      encodeMessage(context, type, codec, message, position, length);
    } catch (IllegalStateException e) {
      return seal.closedOr(e);
    }
    pipe.messageCommitted(position);
    route.claimed(context, position, length);
    return SendStatus.ACCEPTED;
  }

  private SendStatus refuse(SendContext context, int length, long position) {
    notices.refused(context, FrameLayout.occupied(length));
    if (position == OutboundRing.FULL) {
      notices.askForCompletions();
    }
    return seal.refusal();
  }

  private <T> void encodeMessage(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      long position,
      int length) {
    OutboundRing claimed = ring;
    long header = FrameLayout.header(FrameLayout.MESSAGE, type.id(), length);
    boolean encoded = false;
    try {
      FrameEncoder.encodeInRing(
          context, type, codec, message, claimed, position, header, FrameLayout.HEADER_LENGTH);
      encoded = true;
    } finally {
      if (!encoded) {
        ringFrames.abort(position, length);
      }
    }
    claimed.commitOpen(position, header);
  }

  /**
   * Sends a one-way message, if that takes nothing but room that there is.
   *
   * @return false if it was not sent, and {@link #send} may say why
   */
  public <T> boolean sendAtOnce(
      SendContext context, MessageType<?> type, Codec<T> codec, T message) {
    int bodyLength = FrameEncoder.lengthOf("message", type, codec, message, maxMessageLength);
    try {
      return sendAtOnce(context, type, codec, message, FrameLayout.MESSAGE, 0, bodyLength);
    } catch (IllegalStateException e) {
      SendStatus _ = seal.closedOr(e);
      return false;
    }
  }

  private <T> boolean sendAtOnce(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      int bodyLength) {
    return mayGoAtOnce(type, Outgoing.occupied(kind, bodyLength))
        && ringFrames.trySend(
            context, type, codec, message, kind, correlation, bodyLength, window.granted());
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
    return send(context, type, codec, message, kind, correlation, deadlineNs, Outgoing.WANTED);
  }

  /**
   * As above.
   *
   * @param unwanted whether nobody wants any more that it is sent: then it waits for room no
   *     longer, and is not sent once there is some
   * @return BACK_PRESSURED also if it is unwanted
   */
  public <T> SendStatus sendIfWanted(
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      long deadlineNs,
      BooleanSupplier unwanted) {
    return send(
        SendContext.current(), type, codec, message, kind, correlation, deadlineNs, unwanted);
  }

  private <T> SendStatus send(
      SendContext context,
      MessageType<?> type,
      Codec<T> codec,
      T message,
      int kind,
      long correlation,
      long deadlineNs,
      BooleanSupplier unwanted) {
    int bodyLength = FrameEncoder.lengthOf("message", type, codec, message, maxMessageLength);
    try {
      if (sendAtOnce(context, type, codec, message, kind, correlation, bodyLength)) {
        return SendStatus.ACCEPTED;
      }
    } catch (IllegalStateException e) {
      return seal.closedOr(e);
    }
    return send(
        new Outgoing<>(context, type, codec, message, kind, correlation, bodyLength, unwanted),
        deadlineNs);
  }

  /** Whether a frame needs nothing but room in the ring and the window, as nearly every one. */
  private boolean mayGoAtOnce(MessageType<?> type, long occupied) {
    return occupied <= ring.maxFrameLength()
        && occupied <= window.creditedFrameLimit()
        && !slowEncoders.hasAny()
        && announcer.hasAnnounced(type);
  }

  private SendStatus send(Outgoing<?> outgoing, long deadlineNs) {
    try {
      if (slowEncoders.contains(outgoing.type().id()) && !EncodedMessage.isCopy(outgoing.codec())) {
        return sendApart(outgoing, deadlineNs);
      }
      return sendWhenRoom(outgoing, deadlineNs);
    } catch (IllegalStateException e) {
      return seal.closedOr(e);
    }
  }

  /**
   * Encodes before it claims: a codec that blocks delays its own message only. Who may not wait
   * comes again with what was refused, so nothing is encoded for that while there is no room.
   */
  private SendStatus sendApart(Outgoing<?> outgoing, long deadlineNs) {
    if (deadlineNs == Long.MIN_VALUE && lacksRoom(outgoing)) {
      return refuse(outgoing);
    }
    int length = outgoing.bodyLength();
    if (length <= ScratchBuffers.MAX_LENGTH) {
      long threadId = Thread.currentThread().threadId();
      ReceiveBuffer buffer = scratch.take(threadId);
      try {
        return sendFrom(buffer, outgoing, deadlineNs);
      } finally {
        scratch.giveBack(threadId, buffer);
      }
    }
    ReceiveBuffer buffer =
        isLong(outgoing.occupied())
            ? detached.acquireApart(outgoing)
            : largeFrames.memory().acquireInAnyCase(length); // as it would go into the ring
    try {
      return sendFrom(buffer, outgoing, deadlineNs);
    } finally {
      buffer.release();
      largeFrames.memory().released(length);
    }
  }

  private <T> SendStatus sendFrom(ReceiveBuffer buffer, Outgoing<T> outgoing, long deadlineNs) {
    MessageType<?> type = outgoing.type();
    long startNs = System.nanoTime();
    FrameEncoder.encode(
        outgoing.context(),
        type,
        outgoing.codec(),
        outgoing.message(),
        buffer.segment(),
        0,
        outgoing.bodyLength());
    long endNs = System.nanoTime();
    slowEncoders.encodedApart(type.id(), endNs - startNs, endNs);
    return sendWhenRoom(outgoing.encodedIn(buffer.segment()), deadlineNs);
  }

  private SendStatus sendWhenRoom(Outgoing<?> outgoing, long deadlineNs) {
    SendStatus status = trySend(outgoing, null);
    if (status != SendStatus.BACK_PRESSURED) {
      return status;
    }
    if (deadlineNs == Long.MIN_VALUE
        || (outgoing.context().isInline() && System.nanoTime() - deadlineNs >= 0)) {
      return refuse(outgoing);
    }
    if (outgoing.context().isInline()) {
      throw new IllegalStateException(
          "an inline handler may not wait for room: register it as POOLED or BLOCKING, or use"
              + " trySend; messageType="
              + outgoing.type().name());
    }
    outgoing.context().forgetClock();
    SpaceWaiters.Wait wait = waiters.enter();
    try {
      outgoing.context().drainDeferred();
      long untilNs = Waits.graceEnd(deadlineNs);
      while (true) {
        pipe.drain();
        waiters.attempt(wait); // after the drain, which may make room
        if (outgoing.unwanted().getAsBoolean()) {
          return status;
        }
        long restarts = pipe.restartsAhead();
        status = trySend(outgoing, wait);
        if (status != SendStatus.BACK_PRESSURED) {
          return status;
        }
        pipe.awaitCompletions(restarts);
        if (!waiters.await(wait, untilNs)) {
          if (untilNs == deadlineNs) {
            return status;
          }
          Waits.begin();
          untilNs = deadlineNs;
        }
      }
    } finally {
      waiters.leave(wait);
      try {
        if (wait.awaitsGrant && largeFrames.endAwait(outgoing.occupied(), wait.usedGrant)) {
          pipe.drain();
        }
      } finally {
        Waits.end(); // last: it may find no heap
      }
    }
  }

  /** Of who may not wait. */
  private SendStatus refuse(Outgoing<?> outgoing) {
    if (outgoing.kind() == FrameLayout.MESSAGE) { // whoever asks waits for a request by itself
      notices.refused(outgoing.context(), lacking(outgoing));
    }
    pipe.drain(); // its type may have been announced, and others have committed behind that
    notices.askForCompletions();
    return seal.refusal();
  }

  /** Whether a frame that needs no grant finds no room; one that does has to ask for it. */
  private boolean lacksRoom(Outgoing<?> outgoing) {
    long lacking = lacking(outgoing);
    boolean needsGrant = lacking > window.creditedFrameLimit() && window.granted() > 0;
    return !needsGrant && !notices.mayAccept(lacking);
  }

  /** What {@link RoomNotices#refused} is told of a message: its type is announced first. */
  private long lacking(Outgoing<?> outgoing) {
    MessageType<?> type = outgoing.type();
    return announcer.hasAnnounced(type) ? outgoing.occupied() : -announcer.occupied(type);
  }

  /** Whether a frame goes beside the ring. */
  private boolean isLong(long occupied) {
    return occupied > ring.maxFrameLength() || occupied > window.creditedFrameLimit();
  }

  private SendStatus trySend(Outgoing<?> outgoing, SpaceWaiters.@Nullable Wait wait) {
    if (!announcer.hasAnnounced(outgoing.type())) {
      SendStatus status = announcer.announce(outgoing.type());
      if (status != SendStatus.ACCEPTED) {
        return status;
      }
    }
    long granted = window.granted();
    if (granted == 0) {
      return seal.refusal(); // not opened by the peer yet
    }
    long occupied = outgoing.occupied();
    if (isLong(occupied)) {
      return detached.trySend(outgoing, wait);
    }
    if (ringFrames.trySend(outgoing, granted)) {
      return SendStatus.ACCEPTED;
    }
    if (wait != null) {
      wait.lacks(occupied);
    }
    return seal.refusal();
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
    return notices.tryNotify(unwanted, action);
  }

  /**
   * Why a message was not accepted, for people, if it is for want of memory here or at the peer;
   * else null.
   */
  public <T> @Nullable String lacksMemory(
      MessageType<?> type, Codec<T> codec, T message, int kind) {
    if (ring.isResting() && !MemoryBudget.hasRoom(ring.capacity())) {
      return MemoryBudget.refusal(ring.capacity());
    }
    int length = FrameEncoder.lengthOf("message", type, codec, message, maxMessageLength);
    String delay = largeFrames.delay(Outgoing.occupied(kind, length));
    return delay == null ? null : "the peer has no room for it: " + delay;
  }
}
