package org.ringwire.engine;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.NodeListener;
import org.ringwire.engine.inbound.InboundGrants;
import org.ringwire.engine.inbound.ReceiveWindow;
import org.ringwire.engine.inbound.Replies;
import org.ringwire.engine.outbound.ControlQueue;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.engine.outbound.OutboundPipe;
import org.ringwire.engine.outbound.OutboundStream;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.SpaceWaiters;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FailureReason;
import org.ringwire.wire.FrameAssembler;
import org.ringwire.wire.FrameConsumer;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.Refusal;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.Welcome;

/**
 * One link to a peer, from the handshake to its end. Data flows from the side that opened the link,
 * or both ways if the link is shared; control flows both ways always.
 *
 * <p>Input comes from one reading thread at a time. Everything that sends may be called by any
 * thread.
 */
final class PeerSession
    implements LinkHandler, FrameConsumer, Replies, OutboundPipe.SessionFailure {

  /** Occupied bytes of a response that every requester has room for without a grant. */
  static final long RESPONSE_RESERVATION = 64 << 10;

  private static final long FLUSH_WAIT_NS = 200_000_000;

  private enum Phase {
    AWAITING_HELLO,
    AWAITING_WELCOME,
    DECIDING,
    READY,
    ENDING
  }

  private final NodeServices services;
  private final Connections connections;
  private final boolean opener;
  private final ControlQueue control = new ControlQueue();
  private final ReceiveWindow receiveWindow;
  private final OutboundPipe pipe;
  private final DataPath data;
  private final InboundPipe inbound;
  private final InboundGrants grants;
  private final FrameAssembler assembler;
  private final AtomicBoolean ending = new AtomicBoolean();
  private final AtomicBoolean inHandshake = new AtomicBoolean(true);

  private final Object stateLock = new Object();

  private boolean closed; // guarded by stateLock
  private volatile Phase phase;
  private volatile @Nullable Connection connection;
  private volatile @Nullable Link link;
  private volatile boolean dataIn;
  private volatile boolean peerClosing;
  private volatile int claimedId = NodeListener.UNKNOWN_NODE;
  private volatile boolean closedInOrder;
  private volatile long pongToken;
  private volatile @Nullable String endCause;
  private @Nullable ScheduledFuture<?> handshakeTimeout;

  /** A session that will open a link for a connection, or, without connection, has accepted one. */
  PeerSession(NodeServices services, Connections connections, @Nullable Connection openedFor) {
    this.services = services;
    this.connections = connections;
    opener = openedFor != null;
    connection = openedFor;
    phase = opener ? Phase.AWAITING_WELCOME : Phase.AWAITING_HELLO;
    receiveWindow =
        new ReceiveWindow(
            services.windows(), services.config().initialWindow(), services.config().maxWindow());
    SpaceWaiters waiters = new SpaceWaiters();
    OutboundStream stream =
        new OutboundStream(control, receiveWindow::creditFrame, services.buffers());
    pipe =
        new OutboundPipe(
            stream,
            waiters,
            services.flusher(),
            services.config().drainMode(),
            services.slowEncoders(),
            this);
    data = new DataPath(services, control, stream, pipe, waiters);
    inbound = new InboundPipe(services, this, receiveWindow);
    grants = new InboundGrants(services.grants(), longestFrame(), this::sendGrant);
    assembler = new FrameAssembler(this, Handshake.MAX_FRAME_LENGTH, services.buffers());
  }

  private int longestFrame() {
    return services.config().maxMessageLength() + FrameLayout.HEADER_LENGTH + 2 * Long.BYTES;
  }

  // Handshake.

  @Override
  public void opened(Link openedLink) {
    link = openedLink;
    handshakeTimeout =
        services
            .timers()
            .schedule(
                () -> end("handshake timed out: phase=" + phase, null),
                services.config().connectTimeout().toNanos(),
                TimeUnit.NANOSECONDS);
    pipe.open(openedLink);
    Connection owner = connection;
    if (opener && owner != null) {
      sendControl(owner.hello().encode());
    }
    if (ending.get()) {
      openedLink.close();
    }
  }

  private void hello(MemorySegment memory, long offset, long header) {
    phase = Phase.DECIDING;
    Hello hello;
    try {
      hello = Hello.parse(memory, offset, header);
      claimedId = hello.nodeId();
      for (TypeAnnouncement type : hello.types()) {
        inbound.announced(type);
      }
    } catch (ProtocolException e) {
      refuse(RefusalReason.of(e.reason()), e.getMessage());
      return;
    }
    connections.hello(this, hello);
  }

  /** By {@link Connections}: the peer's HELLO is accepted. */
  void welcome(Connection owner, Hello hello, boolean shared, boolean grant) {
    connection = owner;
    dataIn = true;
    if (!receiveWindow.reserve()) {
      refuse(RefusalReason.LIMIT, "no memory for another window");
      return;
    }
    List<TypeAnnouncement> types = shared ? Handshakes.announceTypes(services) : List.of();
    if (shared) {
      data.open(hello.limits(), types, owner.nodeId());
    }
    if (grant) {
      receiveWindow.open();
    }
    ready(); // before the WELCOME, after which data may come
    sendControl(Handshakes.welcome(services, hello, shared, grant, types).encode());
    if (!grant && owner.sender() != null) {
      grantInitialWindow(); // our own link has opened in the meantime
    }
  }

  /**
   * Data may come now that answers can go back. Until then, when two nodes connect to each other at
   * the same time, the window is closed.
   */
  void grantInitialWindow() {
    if (phase == Phase.READY && dataIn && receiveWindow.open()) {
      creditDue();
    }
  }

  private void welcomed(MemorySegment memory, long offset, long header) {
    Welcome welcome = Welcome.parse(memory, offset, header);
    Connection owner = connection;
    if (owner == null || !owner.accepts(welcome)) {
      throw new ProtocolException(
          Reason.VALUE,
          "WELCOME of another node or life: nodeId="
              + welcome.nodeId()
              + " incarnation="
              + welcome.incarnation().id());
    }
    for (TypeAnnouncement type : welcome.types()) {
      inbound.announced(type);
    }
    if (welcome.shared()) {
      dataIn = true;
      if (!receiveWindow.reserve()) {
        throw new ProtocolException(Reason.WINDOW, "no memory for another window");
      }
      receiveWindow.open();
    }
    data.open(welcome.limits(), owner.announcedIn(this), owner.nodeId());
    ready();
    owner.outboundReady(this, welcome.shared());
  }

  /**
   * Before the WELCOME: from now on the end of this link is the end of the connection. False if the
   * link has ended already, while the decision about its HELLO took its time.
   */
  boolean belongTo(Connection owner) {
    synchronized (stateLock) {
      if (!closed) {
        connection = owner;
      }
      return !closed;
    }
  }

  private void handshakeEnded() {
    if (!opener && inHandshake.compareAndSet(true, false)) {
      connections.handshakeEnded();
    }
  }

  private void ready() {
    handshakeEnded();
    assembler.maxFrameLength(longestFrame());
    phase = Phase.READY;
    ScheduledFuture<?> timeout = handshakeTimeout;
    if (timeout != null) {
      timeout.cancel(false);
    }
  }

  /** Answers a HELLO with REFUSE and ends the link. */
  void refuse(RefusalReason reason, @Nullable String text) {
    String refusal = String.valueOf(text);
    services.counters().handshakesRefused.increment();
    services.event(() -> services.config().listener().refused(claimedId, reason + ": " + refusal));
    phase = Phase.ENDING;
    sendControl(new Refusal(reason, refusal).encode());
    endAfterFlush("refused: " + reason + ": " + refusal, null);
  }

  // Input: the reading thread.

  @Override
  public void received(MemorySegment memory, long offset, long length) {
    SendContext context = SendContext.current();
    beginChunk(context);
    try {
      assembler.received(memory, offset, length);
    } catch (ProtocolException e) {
      violated(e);
    } finally {
      endChunk(context);
    }
  }

  /** What runs until the end of the chunk runs on a thread that reads, and may not wait. */
  private static void beginChunk(SendContext context) {
    context.enterInline();
    context.beginBatch();
  }

  private void endChunk(SendContext context) {
    inbound.endChunk();
    context.endBatch();
    context.leaveInline();
  }

  @Override
  public @Nullable ByteBuffer destination() {
    return assembler.destination();
  }

  @Override
  public void receivedInDestination(int length) {
    SendContext context = SendContext.current();
    beginChunk(context);
    try {
      assembler.receivedInDestination(length);
    } catch (ProtocolException e) {
      violated(e);
    } finally {
      endChunk(context);
    }
  }

  @Override
  public void frame(MemorySegment memory, long offset, long header) {
    int kind = FrameLayout.kind(header);
    if (phase == Phase.READY && kind == FrameLayout.MESSAGE) {
      requireData(kind);
      inbound.message(assembler, memory, offset, header);
    } else if (phase == Phase.READY) {
      readyFrame(kind, memory, offset, header);
    } else if (phase == Phase.AWAITING_HELLO && kind == FrameLayout.HELLO) {
      hello(memory, offset, header);
    } else if (phase == Phase.AWAITING_WELCOME && kind == FrameLayout.WELCOME) {
      welcomed(memory, offset, header);
    } else if (phase == Phase.AWAITING_WELCOME && kind == FrameLayout.REFUSE) {
      refused(Refusal.parse(memory, offset, header));
    } else if (phase != Phase.ENDING && !ending.get()) {
      throw unexpected(kind);
    }
  }

  private void readyFrame(int kind, MemorySegment memory, long offset, long header) {
    switch (kind) {
      case FrameLayout.REQUEST -> {
        requireData(kind);
        inbound.message(assembler, memory, offset, header);
      }
      case FrameLayout.RESPONSE -> {
        requireData(kind);
        response(memory, offset, header);
      }
      case FrameLayout.FAILURE -> {
        requireData(kind);
        inbound.failure(memory, offset, header);
      }
      case FrameLayout.TYPE -> {
        requireData(kind);
        inbound.announced(TypeAnnouncement.parse(memory, offset, header));
      }
      case FrameLayout.CREDIT -> credit(memory, offset);
      case FrameLayout.PING -> {
        control.requestPong(ControlFrames.token(memory, offset));
        pipe.drain();
      }
      case FrameLayout.PONG -> pongToken = ControlFrames.token(memory, offset);
      case FrameLayout.ANNOUNCE -> announce(memory, offset);
      case FrameLayout.GRANT -> data.granted(ControlFrames.token(memory, offset));
      case FrameLayout.WAIVE -> {
        requireData(kind);
        waived(ControlFrames.waivedBytes(memory, offset));
      }
      case FrameLayout.CLOSE -> closing(memory, offset, header);
      default -> throw unexpected(kind);
    }
  }

  private void requireData(int kind) {
    if (!dataIn) {
      throw unexpected(kind);
    }
  }

  private ProtocolException unexpected(int kind) {
    return new ProtocolException(
        Reason.FRAME_UNEXPECTED, "frame out of place: kind=" + kind + " phase=" + phase);
  }

  private void response(MemorySegment memory, long offset, long header) {
    long occupied = FrameLayout.occupied(FrameLayout.length(header));
    boolean granted = FrameLayout.isGranted(header);
    if (granted) {
      grants.use(occupied);
    } else if (occupied > RESPONSE_RESERVATION) {
      throw new ProtocolException(
          Reason.FRAME_LENGTH,
          "response longer than reserved: occupiedLength="
              + occupied
              + " limit="
              + RESPONSE_RESERVATION);
    }
    try {
      inbound.response(memory, offset, header);
    } finally {
      if (granted) {
        grants.processed(occupied);
      }
    }
  }

  private void credit(MemorySegment memory, long offset) {
    data.credit(
        ControlFrames.processedBytes(memory, offset),
        ControlFrames.processedMessages(memory, offset),
        ControlFrames.granted(memory, offset));
  }

  private void waived(long bytes) {
    if (!receiveWindow.waive(bytes)) {
      throw new ProtocolException(
          Reason.WINDOW, "the peer waives credit that it does not have: bytes=" + bytes);
    }
    creditDue();
  }

  private void announce(MemorySegment memory, long offset) {
    long length = ControlFrames.announcedLength(memory, offset);
    if (receiveWindow.growFor(length)) {
      creditDue();
    }
    grants.announced(ControlFrames.token(memory, offset), length);
  }

  private void closing(MemorySegment memory, long offset, long header) {
    CloseReason reason = CloseReason.of(FrameLayout.type(header));
    endCause =
        "closed by the peer: " + reason + ": " + ControlFrames.closeText(memory, offset, header);
    peerClosing = true;
    closedInOrder = reason == CloseReason.NODE_CLOSING || reason == CloseReason.DISMISSED;
    receiveWindow.creditEverything();
    creditDue();
  }

  private void refused(Refusal refusal) {
    services.event(() ->
        services.config().listener().refused(peerId(), refusal.reason() + ": " + refusal.text()));
    end("refused by the peer: " + refusal.reason() + ": " + refusal.text(), null);
  }

  // Output: any thread.

  @Override
  public int peerId() {
    Connection owner = connection;
    return owner == null ? NodeListener.UNKNOWN_NODE : owner.nodeId();
  }

  @Nullable Connection connection() {
    return connection;
  }

  @Nullable MessageSender sender() {
    return data.sender();
  }

  DataPath data() {
    return data;
  }

  @Nullable Link link() {
    return link;
  }

  InboundGrants grants() {
    return grants;
  }

  OutboundPipe pipe() {
    return pipe;
  }

  boolean isReady() {
    return phase == Phase.READY && !ending.get();
  }

  void sendControl(byte[] frame) {
    if (!control.add(frame)) {
      end("the peer does not read its control frames", null);
      return;
    }
    pipe.drain();
  }

  void ping(long token) {
    sendControl(ControlFrames.ping(token));
  }

  boolean answeredPing(long token) {
    return pongToken == token;
  }

  private void sendGrant(long token) {
    sendControl(ControlFrames.grant(token));
  }

  void creditDue() {
    control.requestCredit();
    pipe.drain();
  }

  @Override
  public void reply(long correlation, Object response) {
    Connection owner = connection;
    DataPath way = owner == null ? null : owner.dataPath();
    if (way != null) {
      try {
        way.respond(correlation, response);
      } catch (EncodingException | IllegalArgumentException | Error e) {
        fail(correlation, FailureReason.NOT_ENCODED, String.valueOf(e.getMessage()));
        throw e;
      }
    }
  }

  @Override
  public void fail(long correlation, FailureReason reason, String text) {
    Connection owner = connection;
    DataPath way = owner == null ? null : owner.dataPath();
    MessageSender messages = way == null ? null : way.sender();
    if (messages != null) {
      messages.fail(ControlFrames.failure(correlation, reason, text));
    }
  }

  @Override
  public void writable() {
    pipe.writable();
  }

  // The end.

  /** The peer broke a rule: counted, and the link ends with a CLOSE that says why. */
  void violated(RuntimeException violation) {
    if (ending.get() || phase == Phase.ENDING) {
      return;
    }
    Reason reason = violation instanceof ProtocolException broken ? broken.reason() : null;
    services.counters().rejected(reason);
    String text = String.valueOf(violation.getMessage());
    if (phase == Phase.AWAITING_HELLO) {
      refuse(RefusalReason.MALFORMED, text);
      return;
    }
    phase = Phase.ENDING;
    CloseReason close = reason == null ? CloseReason.INTERNAL_ERROR : CloseReason.of(reason);
    sendControl(ControlFrames.close(close, text));
    endAfterFlush("the peer broke a rule: " + text, violation);
  }

  /** Ends the link once the peer was told why, or soon anyway. */
  private void endAfterFlush(String cause, @Nullable Throwable error) {
    if (pipe.isDrained()) {
      end(cause, error);
    } else {
      services.later(() -> end(cause, error), FLUSH_WAIT_NS);
    }
  }

  @Override
  public void failed(Throwable cause) {
    end("write failed: " + cause, cause);
  }

  /** Ends the link; the connection hears of it through {@link #closed}. Any thread, idempotent. */
  void end(String cause, @Nullable Throwable error) {
    if (!ending.compareAndSet(false, true)) {
      return;
    }
    if (endCause == null) {
      endCause = cause;
    }
    data.close();
    Link current = link;
    if (current != null) {
      current.close();
    }
  }

  @Override
  public void closed(@Nullable Throwable cause) {
    if (endCause == null) {
      endCause = cause == null ? "the peer closed the link" : String.valueOf(cause.getMessage());
    }
    end(String.valueOf(endCause), cause);
    ScheduledFuture<?> timeout = handshakeTimeout;
    if (timeout != null) {
      timeout.cancel(false);
    }
    handshakeEnded();
    assembler.close();
    grants.close();
    receiveWindow.close();
    synchronized (stateLock) {
      closed = true;
    }
    connections.sessionClosed(this);
  }

  String endCause() {
    return String.valueOf(endCause);
  }

  /** Whether the peer has ended the link on purpose, and said so. */
  boolean endedInOrder() {
    return closedInOrder;
  }

  boolean isOpener() {
    return opener;
  }

  boolean peerIsClosing() {
    return peerClosing;
  }

  /** Whether all that was accepted was written. */
  boolean isDrained() {
    return pipe.isDrained();
  }

  /** Whether the peer has processed all that was sent. */
  boolean isProcessed() {
    return data.isProcessed();
  }

  SessionTotals totals() {
    return data.totals();
  }

  long receivedBytes() {
    return assembler.receivedBytes();
  }

  /** Frees the memory, once nobody is inside the link; false while somebody is. Event thread. */
  boolean tryFree() {
    if (!pipe.tryRetire()) {
      return false;
    }
    data.free();
    return true;
  }
}
