package org.ringwire.engine.connection.link;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.engine.outbound.OutboundParts;
import org.ringwire.engine.outbound.OutboundPipe;
import org.ringwire.engine.outbound.OutboundStream;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.engine.outbound.room.SendWindow;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.SingleTask;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.RingMemory;
import org.ringwire.transport.Link;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.Limits;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.TypeAnnouncement;

/**
 * What a link needs to carry data away from this side: ring, window and the memory of both. Made
 * when the handshake says that data flows this way; owned, and freed, by the link's session.
 */
public final class DataPath {

  /** A grant that was not used by the second look goes back; peers have patience for a minute. */
  private static final long GRANT_LOOK_NS = 15_000_000_000L;

  private final NodeServices services;
  private final ControlQueue control;
  private final OutboundStream stream;
  private final OutboundPipe pipe;
  private final SpaceWaiters waiters = new SpaceWaiters();
  private final SendWindow window = new SendWindow();
  private final AtomicBoolean freed = new AtomicBoolean();
  private final SingleTask grantWatch;
  private boolean over; // guarded by this, as the next
  private boolean returned;
  private long lastClaimed = -1; // timer, as the next
  private long idleSinceNs;
  private volatile boolean closed;
  private volatile @Nullable Parts parts;

  /** What exists once the way is open. */
  private record Parts(
      OutboundRing ring, LargeFrames largeFrames, MessageSender sender, long peerReservation) {}

  /**
   * A way that only control can take yet.
   *
   * @param creditFrame makes the CREDIT of the moment
   * @param failure hears of a link that breaks
   */
  public DataPath(
      NodeServices services,
      ControlQueue control,
      Supplier<byte[]> creditFrame,
      OutboundPipe.SessionFailure failure) {
    this.services = services;
    this.control = control;
    grantWatch = new SingleTask(services::later, this::giveBackOld);
    stream = new OutboundStream(control, creditFrame, services.buffers());
    pipe =
        new OutboundPipe(
            stream,
            waiters,
            services.flusher(),
            services.config().drainMode(),
            services.slowEncoders(),
            failure);
  }

  /** What writes to the link. */
  public OutboundPipe pipe() {
    return pipe;
  }

  /**
   * Reading thread: the handshake is over.
   *
   * @param link carries the data
   * @param peer what the peer has granted and reserved
   * @param announced the types that the handshake has told it of
   */
  public void open(Link link, Limits peer, List<TypeAnnouncement> announced, int peerId) {
    open(link, peer, announced, peerId, null);
  }

  /**
   * The same for what follows a control frame, a WELCOME or SHARE, which is added after this. Any
   * thread. Another one may be writing what came before it.
   */
  public void openBehind(
      byte[] controlFrame, Link link, Limits peer, List<TypeAnnouncement> announced, int peerId) {
    open(link, peer, announced, peerId, controlFrame);
  }

  private synchronized void open(
      Link link,
      Limits peer,
      List<TypeAnnouncement> announced,
      int peerId,
      byte @Nullable [] ahead) {
    if (over) {
      return; // the link has ended in the meantime
    }
    waiters.between(services.config().nodeId(), peerId);
    String owner = "connection to node " + peerId;
    int capacity = services.config().ringCapacity();
    Runnable signal = waiters::signal; // now, as there may be no heap for it later
    RingMemory ringMemory =
        new RingMemory(
            owner,
            arena -> services.transport().allocateRing(link, arena, capacity),
            capacity,
            () -> services.whileOpen(signal));
    Parts made = null;
    try {
      made = make(OutboundRing.resting(ringMemory), peer, announced);
    } finally {
      if (made == null) { // there is no heap for it, and nobody else knows of the memory
        ringMemory.close();
      }
    }
    window.open(peer.initialWindow());
    if (ahead == null) {
      pipe.ring(made.ring);
    } else {
      pipe.ringBehind(ahead, made.ring);
    }
    parts = made;
    if (closed) { // pairs with the write in close
      made.sender.close();
    }
  }

  private Parts make(OutboundRing ring, Limits peer, List<TypeAnnouncement> announced) {
    LargeFrames largeFrames =
        new LargeFrames(services.buffers(), control, services.config().maxBufferedBytes());
    int longest = Math.min(services.config().maxMessageLength(), peer.maxMessageLength());
    MessageSender sender =
        new MessageSender(
            new OutboundParts(ring, pipe, stream, window, waiters, largeFrames),
            services.slowEncoders(),
            longest);
    for (TypeAnnouncement type : announced) {
      sender.announced(type.id());
    }
    return new Parts(ring, largeFrames, sender, peer.responseReservation());
  }

  /** What sends, or null before the way is open. */
  public @Nullable MessageSender sender() {
    Parts open = parts;
    return open == null ? null : open.sender;
  }

  /** Sends a response; dropped if the link has ended, which the requester learns anyway. */
  @SuppressWarnings("unchecked") // the codec belongs to the class of the response
  public void respond(long correlation, Object response) {
    Parts open = parts;
    if (open != null) {
      MessageType<?> type = services.config().catalog().typeOf(response.getClass());
      Codec<Object> codec = (Codec<Object>) type.codec();
      open.sender.responses().respond(type, codec, response, correlation, open.peerReservation);
    }
  }

  /** Reading thread: the peer returns credit. */
  public void credit(long processedBytes, long processedMessages, long granted) {
    Parts open = parts;
    long unoffered = stream.unofferedBytes(); // first: all of them are charged by then
    long offered = open == null ? 0 : open.ring.chargedBytes() - unoffered;
    if (!window.credit(processedBytes, processedMessages, granted, offered)) {
      throw new ProtocolException(
          Reason.CREDIT, "credit shrinks or was never used: offeredBytes=" + offered);
    }
    waiters.signal();
  }

  /**
   * Reading thread: the peer grants a large frame.
   *
   * @throws ProtocolException if nothing was announced by that token, which it is not where no data
   *     goes either
   */
  public void granted(long token) {
    Parts open = parts;
    if (open == null) {
      throw new ProtocolException(
          Reason.FRAME_UNEXPECTED, "GRANT on a link that carries no data to the peer");
    }
    open.sender.responses().granted(token);
    grantWatch.later(GRANT_LOOK_NS);
  }

  /** Reading thread: the peer says why it does not grant a large frame yet. */
  public void delayed(long token, String why) {
    Parts open = parts;
    if (open != null) {
      open.largeFrames.delayed(token, why);
    }
  }

  private void giveBackOld() {
    Parts open = parts;
    if (open != null && !closed) {
      boolean more = open.largeFrames.giveBackOld();
      pipe.drain();
      if (more) {
        grantWatch.again(GRANT_LOOK_NS);
      }
    }
  }

  // Idle.

  /** Timer: room at the peer that was asked for ahead, and is not needed, goes back. */
  public void giveBackAhead() {
    Parts open = parts;
    if (open != null && !closed && open.largeFrames.giveBackAhead()) {
      pipe.drain();
    }
  }

  /** Timer: whether a message was begun and is never finished, so that none can follow it. */
  public boolean hasLostClaim() {
    Parts open = parts;
    return open != null && !closed && !freed.get() && pipe.hasLostClaim();
  }

  /** Timer: whether nothing was sent for so long, and there is something to give back. */
  public boolean isIdle(long nowNs, long idleNs) {
    Parts open = parts;
    if (open == null || closed || open.ring.claimed() != lastClaimed) {
      lastClaimed = open == null ? 0 : open.ring.claimed();
      idleSinceNs = nowNs;
      return false;
    }
    return nowNs - idleSinceNs >= idleNs && !open.ring.isResting();
  }

  /**
   * Event thread: gives back what an idle link need not hold: grants that nobody has used, what the
   * peer has granted beyond a first window (design rule 1), and the memory of the ring (rule 6).
   *
   * <p>Credit is given up by charging it, as if it had been used: then no sender can use it any
   * more, whatever it has read before, and all positions go on growing.
   */
  public void rest() {
    Parts open = parts;
    if (open == null || closed || freed.get()) {
      return;
    }
    open.largeFrames.giveBackUnused();
    long surplus = window.surplus(open.ring.chargedBytes());
    if (surplus > 0 && open.ring.tryCharge(surplus, window.granted())) {
      waive(open.ring, surplus);
    }
    open.sender.rest();
    pipe.drain();
    pipe.rest();
  }

  private void waive(OutboundRing ring, long surplus) {
    boolean waived = false;
    try {
      waived = control.add(ControlFrames.waive(surplus));
    } finally {
      if (!waived) { // the peer has not read for a long time, or there is no heap
        ring.uncharge(surplus);
        waiters.signal();
      }
    }
  }

  /** Whether the peer has processed all that was sent. */
  public boolean isProcessed() {
    Parts open = parts;
    return open == null || window.processedMessages() >= started(open);
  }

  private long started(Parts open) {
    return open.ring.consumer().startedMessages() + stream.detachedMessages();
  }

  /**
   * Whether nobody encodes a message any more that will be accepted; after {@link #close} and after
   * the consumer's role was retired.
   */
  public boolean isCommitted() {
    Parts open = parts;
    return open == null || freed.get() || open.ring.consumer().isCommitted();
  }

  /** What went out, and what did not; once the way is closed, nobody writes, and before the end. */
  public SessionTotals totals() {
    Parts open = parts;
    if (open == null || freed.get()) {
      return SessionTotals.NONE;
    }
    return totals(
        open, open.ring.consumer().countUnsentMessages() + stream.unsentDetachedMessages());
  }

  /** What went out so far; any thread, does not look into the ring, which may be freed. */
  public SessionTotals current() {
    Parts open = parts;
    return open == null || freed.get() ? SessionTotals.NONE : totals(open, 0);
  }

  /** Bytes written to the link, control included. */
  public long sentBytes() {
    return stream.bytesSent();
  }

  private SessionTotals totals(Parts open, long unsent) {
    SpaceWaiters.Stalls stalls = waiters.stalls();
    long processedBytes = window.processedBytes();
    return new SessionTotals(
        started(open),
        window.processedMessages(),
        unsent,
        stream.bytesSent(),
        pipe.writes(),
        stalls,
        open.ring.pendingBytes(),
        open.ring.capacity(),
        Math.max(0, open.ring.chargedBytes() - processedBytes),
        Math.max(0, window.granted() - processedBytes),
        Math.max(0, open.largeFrames.inFlightBytes()));
  }

  /** Refuses messages and requests from now on; responses still go. Any thread, idempotent. */
  public void endMessages() {
    Parts open = parts;
    if (open != null && !freed.get()) {
      open.sender.endMessages();
    }
  }

  /** Bytes that were ever claimed for messages, requests and responses; any thread. */
  public long claimedBytes() {
    Parts open = parts;
    return open == null ? 0 : open.ring.claimed();
  }

  /** Refuses whatever is sent from now on. Any thread, idempotent. */
  public void close() {
    closed = true; // pairs with the read in open
    Parts open = parts;
    if (open != null && !freed.get()) {
      open.sender.close();
    }
  }

  /** Returns all memory; after the consumer's role was retired. Event thread. */
  public synchronized void free() {
    over = true;
    Parts open = parts;
    if (open != null && !returned) {
      freed.set(true); // before: nobody else looks into the ring any more
      open.largeFrames.close();
      open.ring.free();
      returned = true; // not if there was no heap: then it is tried again
    }
    stream.close(); // last: who is refused by it is told that the ring was freed
  }
}
