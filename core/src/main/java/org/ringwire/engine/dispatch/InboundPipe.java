package org.ringwire.engine.dispatch;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.inbound.Delivery;
import org.ringwire.engine.inbound.LinkType;
import org.ringwire.engine.inbound.LinkTypes;
import org.ringwire.engine.inbound.ReceiveWindow;
import org.ringwire.engine.inbound.Registration;
import org.ringwire.engine.inbound.Replies;
import org.ringwire.engine.inbound.SlowHandlers;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.services.BlockingStarts;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.SingleTask;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.wire.FailureReason;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.assembly.FrameAssembler;

/**
 * The way in over one link, from complete frames to handlers. Used by the link's reading thread;
 * what other threads call is said.
 *
 * <p>Inline handlers and responses are decoded where the transport has put them. Other messages are
 * copied into lanes, so that a slow handler never holds the transport's memory; lane 0 takes the
 * ordered ones, whatever their mode. Credit is given back for what was processed, once per chunk
 * here and once per batch in a lane.
 */
public final class InboundPipe {

  private static final long WHOLE_BUFFER_BYTES = 16 << 10;

  /** How long a peer waits for credit that it may need, at most. */
  private static final long WITHHELD_NS = 10_000_000;

  /** What workers tell at once of a window, as others may need it. */
  private static final int WINDOW_PARTS = 8;

  private final NodeServices services;
  private final InboundSession session;
  private final ReceiveWindow window;
  private final LinkTypes types;
  private final Delivery inline;
  private final Lanes lanes;
  private final BlockingStarts.Line blocking = new BlockingStarts.Line();
  private final BlockingStarts.Line ordered = new BlockingStarts.Line(); // one at a time, in turn
  private final AnswerRound answers = new AnswerRound();
  private final ResponseDelivery responses;
  private final SingleTask withheld;
  private long chunkBytes;
  private long chunkMessages;
  private long receivedMessages;
  private final AtomicLong totalMessages = new AtomicLong(); // written once per chunk

  public InboundPipe(NodeServices services, InboundSession session, ReceiveWindow window) {
    this.services = services;
    this.session = session;
    this.window = window;
    lanes = new Lanes(this, services.handlers(), services.buffers());
    types =
        new LinkTypes(
            services.config().nodeId(),
            lanes.count() + 1,
            services.config().maxAnnouncedTypes(),
            services.generations());
    inline = newDelivery(lanes.count(), null);
    responses = new ResponseDelivery(services, session, types, answers);
    withheld = new SingleTask(services::later, this::tellWithheld);
  }

  Delivery newDelivery(int index, Delivery.@Nullable Retainer retainer) {
    return new Delivery(
        session.replies(),
        services.counters(),
        services.errors(),
        services.slowHandlers(),
        index,
        retainer);
  }

  Replies replies() {
    return session.replies();
  }

  /** Takes over what a peer has told of a type; refuses one that is handled and not readable. */
  public void announced(TypeAnnouncement announcement) {
    types.add(announcement).registration(services.config().catalog(), services.registrations());
  }

  /** Any message or request. What is wrong with its type is found before it is charged. */
  public void message(FrameAssembler frames, MemorySegment memory, long offset, long header) {
    answers.end(); // a handler may take its time
    LinkType type = types.get(FrameLayout.type(header));
    Registration registration =
        type.registration(services.config().catalog(), services.registrations());
    int length = FrameLayout.length(header);
    long occupied = FrameLayout.occupied(length);
    if (receivedMessages == 0) { // not for control frames, which come to idle links too
      services.slowHandlers().wake(); // before it is charged: there may be no heap for it
    }
    if (FrameLayout.isGranted(header)) {
      session.grants().use(occupied);
    } else if (!window.receive(occupied)) {
      throw exceedsCredit(occupied);
    }
    receivedMessages++;
    if (services.registrations().haveEnded()) {
      abandon(header);
      return;
    }
    if (registration == null) {
      unhandled(type, memory, offset, header);
      return;
    }
    if (registration.isInline() && !(registration.isOrdered() && lanes.hasOrdered())) {
      try {
        inline.handle(type, registration, memory, offset, header);
      } finally {
        chunkBytes += settle(header);
        chunkMessages++;
      }
    } else if (registration.isOrdered()) {
      append(Lanes.ORDERED, frames, memory, offset, occupied, header);
    } else if (registration.isPooled()) {
      append(lanes.next(occupied), frames, memory, offset, occupied, header);
    } else {
      startBlocking(inline, type, registration, memory, offset, header, null);
    }
  }

  /** A message or request begins of which the rest has still to come. */
  public void requireCredit(long occupied) {
    if (!window.covers(occupied)) {
      throw exceedsCredit(occupied);
    }
  }

  private ProtocolException exceedsCredit(long occupied) {
    return new ProtocolException(
        Reason.WINDOW,
        "the peer exceeds its credit: received=" + (window.receivedBytes() + occupied));
  }

  private void unhandled(LinkType type, MemorySegment memory, long offset, long header) {
    services.counters().unhandled.increment();
    try {
      tellUnhandled(type, Delivery.correlation(memory, offset, header));
    } finally {
      chunkBytes += settle(header);
      chunkMessages++;
    }
  }

  private void tellUnhandled(LinkType type, long correlation) {
    if (correlation != 0) {
      session
          .replies()
          .fail(
              correlation,
              FailureReason.NO_HANDLER,
              "no handler: nodeId=" + services.config().nodeId() + " messageType=" + type.name());
    } else if (type.isUnhandledFirst()) { // else that text would be made for each of them
      services
          .errors()
          .warn(
              "no handler: messageType="
                  + type.name()
                  + ": its messages are dropped, and counted as unhandled; register one with"
                  + " handle(...)");
    }
  }

  private void append(
      int index,
      FrameAssembler frames,
      MemorySegment memory,
      long offset,
      long occupied,
      long header) {
    LaneTask lane;
    boolean isFirst;
    boolean appended = false;
    try {
      lane = lanes.get(index);
      ReceiveBuffer whole = occupied >= WHOLE_BUFFER_BYTES ? frames.takeFrameBuffer() : null;
      isFirst =
          whole == null
              ? lane.append(memory, offset, occupied, header)
              : lane.append(whole, occupied);
      appended = true;
    } finally {
      if (!appended) { // no heap, or the peer has taken its memory away: nobody will handle it
        chunkBytes += settle(header);
        chunkMessages++;
      }
    }
    if (isFirst) {
      lane.schedule(); // not above: it is the lane's already, which settles it
    }
  }

  HandlingPace pace() {
    return lanes.pace();
  }

  /** Bytes after which a worker says what it has handled, though its batch goes on. */
  long mostUntold() {
    return window.window() / WINDOW_PARTS;
  }

  /** Reading thread, or worker of the ordered lane. */
  void startBlocking(
      Delivery delivery,
      LinkType type,
      Registration registration,
      MemorySegment memory,
      long offset,
      long header,
      @Nullable Runnable after) {
    boolean settled = false;
    try {
      long correlation = Delivery.correlation(memory, offset, header);
      Object message = delivery.decode(type, memory, offset, header, correlation, true);
      if (message != null) {
        BlockingCall call =
            new BlockingCall(
                this, delivery, type, registration, message, correlation, header, after);
        services.blocking().add(after == null ? blocking : ordered, call);
        settled = true;
      }
    } finally {
      if (!settled) { // it does not decode, or there is no thread for it
        processed(header);
      }
    }
    if (!settled && after != null) {
      after.run();
    }
  }

  /** A response: completes its request on this thread. */
  public void response(MemorySegment memory, long offset, long header) {
    responses.response(memory, offset, header);
  }

  /** A request of ours has failed at the peer. */
  public void failure(MemorySegment memory, long offset, long header) {
    responses.failure(memory, offset, header);
  }

  /** The transport's chunk has ended: what somebody waits for is written first. */
  public void endChunk(SendContext context) {
    try {
      answers.end();
    } finally {
      context.endBatch();
    }
    if (chunkMessages > 0) {
      long bytes = chunkBytes;
      long messages = chunkMessages;
      chunkBytes = 0;
      chunkMessages = 0;
      processed(bytes, messages);
    }
    if (receivedMessages > 0) {
      services.counters().messagesReceived.add(receivedMessages);
      totalMessages.lazySet(totalMessages.get() + receivedMessages);
      receivedMessages = 0;
      tell(false); // what has come may have taken what was left to the peer
    }
  }

  // Any thread.

  SlowHandlers slowHandlers() {
    return services.slowHandlers();
  }

  /** Messages and requests that arrived, up to the last chunk. */
  public long totalMessages() {
    return totalMessages.get();
  }

  /** Whether messages have arrived that handlers are not done with; a hint. */
  public boolean hasUnprocessed() {
    return totalMessages() > window.processedMessages();
  }

  /** Messages in each lane that were not handled; a hint. */
  public long[] queueLengths() {
    return lanes.queueLengths();
  }

  /** Bytes that a message gives back to the window; what it was granted apart goes back apart. */
  long settle(long header) {
    long occupied = FrameLayout.occupied(FrameLayout.length(header));
    if (!FrameLayout.isGranted(header)) {
      return occupied;
    }
    session.grants().processed(occupied);
    return 0;
  }

  /** Whether messages come by this connection. */
  @SuppressWarnings("ReferenceEquality") // a connection is asked for itself
  boolean isOf(Object connection) {
    return session.connection() == connection;
  }

  /** Whether the connection that messages come by is this one, which ends, or is dismissed, too. */
  boolean endsToo(Object connection) {
    RequestingConnection own = session.connection();
    return isOf(connection) || (own != null && own.isDismissed());
  }

  /** A handler waits for another node: lends the peer what its message has taken of the window. */
  boolean lend(long header) {
    return !FrameLayout.isGranted(header)
        && window.lend(FrameLayout.occupied(FrameLayout.length(header)));
  }

  /**
   * A message counts as handled before its handler has returned, and keeps what it has taken until
   * {@link #giveBack}.
   */
  void letGo() {
    processed(0, 1);
  }

  /**
   * The handler has returned of a message that was let go.
   *
   * @param lent whether the peer was lent what it has taken
   */
  void giveBack(long header, boolean lent) {
    boolean due =
        lent
            ? window.processLent(FrameLayout.occupied(FrameLayout.length(header)), 0)
            : window.process(settle(header), 0);
    tell(due);
  }

  /** Gives credit back, now if it is due, and soon if it is not and the peer may need it. */
  private void tell(boolean due) {
    if (due) {
      session.creditDue();
    } else if (window.withholds()) {
      try {
        withheld.later(WITHHELD_NS);
      } catch (OutOfMemoryError e) {
        // the next one that is processed is a reason again, or the look for signs of life
      }
    }
  }

  /** Timer. */
  private void tellWithheld() {
    if (window.withholds()) {
      session.creditDue();
    }
  }

  /**
   * The handler of a message is done with it, whatever became of that meanwhile.
   *
   * @param letGo whether it counts as handled already
   * @param lent whether the peer was lent what it has taken
   */
  void done(long header, boolean letGo, boolean lent) {
    if (letGo) {
      giveBack(header, lent);
    } else if (lent) {
      repay(header);
    } else {
      processed(header);
    }
  }

  /** Says what was lent. */
  void tellCredit() {
    session.creditDue();
  }

  /** The same handler is done with its message: as {@link #processed}. */
  private void repay(long header) {
    try {
      services.counters().messagesHandled.add(1);
    } finally { // as below
      tell(window.processLent(FrameLayout.occupied(FrameLayout.length(header)), 1));
    }
  }

  /** A handler is done with one message. */
  void processed(long header) {
    processed(settle(header), 1);
  }

  /** Handlers are done with this much: gives credit back when it is due. */
  void processed(long bytes, long messages) {
    if (messages > 0) {
      try {
        services.counters().messagesHandled.add(messages);
      } finally { // the counter may find no heap
        tell(window.process(bytes, messages));
      }
    }
  }

  /** Whether no handler may be called any more, as the node has closed. */
  boolean hasEnded() {
    return services.registrations().haveEnded();
  }

  /** Gives back what a message holds that no handler is called for: it is never told as handled. */
  void abandon(long header) {
    if (FrameLayout.kind(header) != FrameLayout.MESSAGE) {
      session.replies().abandoned();
    }
    boolean _ = window.process(settle(header), 0); // nobody is there to be given credit
  }

  void violated(Throwable violation) {
    session.violated(violation);
  }

  LinkType typeOf(long header) {
    return types.get(FrameLayout.type(header));
  }

  Registration registrationOf(LinkType type) {
    Registration registration =
        type.registration(services.config().catalog(), services.registrations());
    if (registration == null) {
      throw new IllegalStateException("a message without handler in a lane");
    }
    return registration;
  }
}
