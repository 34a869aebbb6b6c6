package org.ringwire.engine.connection;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.connection.link.DataPath;
import org.ringwire.engine.connection.link.Pulse;
import org.ringwire.engine.connection.link.SessionEnd;
import org.ringwire.engine.dispatch.InboundPipe;
import org.ringwire.engine.dispatch.InboundSession;
import org.ringwire.engine.inbound.InboundGrants;
import org.ringwire.engine.inbound.ReceiveWindow;
import org.ringwire.engine.outbound.OutboundPipe;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.Refusal;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.assembly.FrameAssembler;
import org.ringwire.wire.assembly.FrameConsumer;

/**
 * One link to a peer, from the handshake to its end. Data flows from the side that opened the link,
 * or both ways if the link is shared; control flows both ways always.
 *
 * <p>Input comes from one reading thread at a time. Everything that sends may be called by any
 * thread.
 */
public final class PeerSession
    implements LinkHandler, FrameConsumer, InboundSession, OutboundPipe.SessionFailure {

  /** Where the link is in its life. */
  enum Phase {
    AWAITING_HELLO,
    AWAITING_PROOF,
    AWAITING_WELCOME,
    DECIDING,
    READY,
    ENDING
  }

  private static final String CLOSED_BY_PEER = "the peer closed the link";

  /** Not a constant of the code: where such a text comes first, it is made, and needs heap. */
  private static final String WRITE_FAILED;

  static {
    WRITE_FAILED = "write failed";
  }

  private final NodeServices services;
  private final @Nullable String host;
  private @Nullable String acceptedFrom; // the I/O thread's
  private final @Nullable String refusal;
  private final Connections connections;
  private final ReceiveWindow receiveWindow;
  private final OutboundPipe pipe;
  private final DataPath data;
  private final InboundPipe inbound;
  private final InboundGrants grants;
  private final FrameAssembler assembler;
  private final SessionControl control;
  private final SessionReplies replies;
  private final SessionHandshake handshake;
  private final SessionFrames frames;
  private final Violations violations;
  private final SessionEnd end;
  private final Farewell farewell;
  private final Pulse pulse = new Pulse();
  private final Object stateLock = new Object();
  private boolean closed; // guarded by stateLock
  private volatile Phase phase;
  private volatile @Nullable Connection connection;
  private volatile @Nullable Link link;
  private volatile boolean welcomed;
  private volatile boolean dataIn;

  /** A session that will open a link for a connection. */
  PeerSession(NodeServices services, Connections connections, Connection openedFor) {
    this(services, connections, openedFor, null, null);
  }

  /**
   * A session that has accepted a link.
   *
   * @param from the address that its end is told of; null if the peer is refused
   * @param refusal why the peer is refused whatever it says, or null
   */
  PeerSession(
      NodeServices services,
      Connections connections,
      @Nullable String from,
      @Nullable String refusal) {
    this(services, connections, null, from, refusal);
  }

  private PeerSession(
      NodeServices services,
      Connections connections,
      @Nullable Connection openedFor,
      @Nullable String from,
      @Nullable String refusal) {
    host = from;
    acceptedFrom = from;
    this.refusal = refusal;
    this.services = services;
    this.connections = connections;
    replies = new SessionReplies(this, connections);
    boolean opener = openedFor != null;
    connection = openedFor;
    phase = opener ? Phase.AWAITING_WELCOME : Phase.AWAITING_HELLO;
    receiveWindow =
        new ReceiveWindow(
            services.windows(),
            services.config().initialWindow(),
            services.config().maxWindow(),
            services.config().creditThreshold());
    ControlQueue controlFrames = new ControlQueue();
    data = new DataPath(services, controlFrames, receiveWindow::creditFrame, this);
    end = new SessionEnd(data);
    farewell = new Farewell(services, this);
    violations = new Violations(services, this);
    pipe = data.pipe();
    control = new SessionControl(this, controlFrames, pipe);
    inbound = new InboundPipe(services, this, receiveWindow);
    assembler = new FrameAssembler(this, Handshake.MAX_FRAME_LENGTH, services.buffers());
    grants =
        new InboundGrants(
            services.grants(),
            FrameLayout.occupied(maxMessageLength() + (long) ControlFrames.CORRELATED_LENGTH),
            services.config().maxBufferedBytes(),
            control::grant,
            control::delay,
            assembler::arrivedOfGranted,
            this::violated);
    handshake = new SessionHandshake(services, connections, this, receiveWindow, opener);
    frames = new SessionFrames(this, assembler, data, inbound, grants, receiveWindow);
  }

  private int maxMessageLength() {
    return services.config().maxMessageLength();
  }

  // The beginning.

  @Override
  public void opened(Link openedLink) {
    if (!end.trySpeak()) { // was given up in the meantime: nobody is told of it
      end.opened(openedLink);
      return;
    }
    link = openedLink;
    pipe.open(openedLink);
    if (refusal == null) {
      handshake.begin(connection);
    } else {
      handshake.refuse(RefusalReason.LIMIT, refusal);
    }
    end.opened(openedLink);
  }

  /** The address that the link was taken in from, and is counted by, or null. */
  @Nullable String host() {
    return host;
  }

  /** By who decides about a HELLO. */
  SessionHandshake handshake() {
    return handshake;
  }

  Phase phase() {
    return phase;
  }

  void phase(Phase next) {
    phase = next;
  }

  void owner(Connection owner) {
    connection = owner;
  }

  /** From now on the peer may send data on this link. */
  void takesData() {
    dataIn = true;
  }

  boolean isTakingData() {
    return welcomed && phase == Phase.READY && dataIn;
  }

  /** The handshake is over for what the peer sends. */
  void ready() {
    assembler.maxFrameLength(FrameLayout.HEADER_LENGTH + maxMessageLength());
    phase = Phase.READY;
  }

  /** And for what is sent to the peer: the WELCOME has come, or its place among control frames. */
  void welcomed() {
    welcomed = true;
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

  // Input: the reading thread.

  @Override
  public void received(MemorySegment memory, long offset, long length) {
    SendContext context = SendContext.current();
    int batches = context.enterChunk();
    try {
      pulse.enter();
      assembler.received(memory, offset, length);
    } catch (ProtocolException e) {
      violated(e);
    } finally {
      try {
        endChunk(context);
      } finally { // whatever went wrong: the thread may be one that waits for a response
        context.leaveChunk(batches);
        pulse.leave();
      }
    }
  }

  private void endChunk(SendContext context) {
    try {
      inbound.endChunk(context);
    } finally {
      control.endChunk();
    }
  }

  /** Room for a long frame takes its time, and what has come of it is copied there. */
  @Override
  public @Nullable ByteBuffer destination() {
    if (!assembler.hasDestination()) {
      return null;
    }
    pulse.enter(); // in which nobody's silence counts
    try {
      return assembler.destination();
    } finally {
      pulse.leave();
    }
  }

  @Override
  public void receivedInDestination(int length) {
    SendContext context = SendContext.current();
    int batches = context.enterChunk();
    try {
      pulse.enter();
      assembler.receivedInDestination(length);
    } catch (ProtocolException e) {
      violated(e);
    } finally {
      try {
        endChunk(context);
      } finally { // as above
        context.leaveChunk(batches);
        pulse.leave();
      }
    }
  }

  @Override
  public void frame(MemorySegment memory, long offset, long header) {
    int kind = FrameLayout.kind(header);
    if (phase == Phase.READY && kind == FrameLayout.MESSAGE) {
      requireData(kind);
      control.beforeMessage();
      inbound.message(assembler, memory, offset, header);
    } else if (phase == Phase.READY) {
      frames.frame(kind, memory, offset, header);
    } else if (phase == Phase.AWAITING_HELLO && kind == FrameLayout.HELLO) {
      handshake.hello(memory, offset, header);
    } else if (phase == Phase.AWAITING_PROOF && kind == FrameLayout.PROOF) {
      handshake.proved(ControlFrames.bytes32(memory, offset));
    } else if (phase == Phase.AWAITING_WELCOME && kind == FrameLayout.CHALLENGE) {
      handshake.challenged(ControlFrames.bytes32(memory, offset));
    } else if (phase == Phase.AWAITING_WELCOME && kind == FrameLayout.WELCOME) {
      handshake.welcomed(memory, offset, header);
    } else if (phase == Phase.AWAITING_WELCOME && kind == FrameLayout.REFUSE) {
      handshake.refused(Refusal.parse(memory, offset, header));
    } else if (phase != Phase.ENDING && !end.isBegun()) {
      throw unexpected(kind);
    }
  }

  @Override
  public void begins(long header) {
    if (phase == Phase.READY) {
      frames.begins(FrameLayout.kind(header), header);
    }
  }

  void requireData(int kind) {
    if (!dataIn) {
      throw unexpected(kind);
    }
  }

  ProtocolException unexpected(int kind) {
    return new ProtocolException(
        Reason.FRAME_UNEXPECTED, "frame out of place: kind=" + kind + " phase=" + phase);
  }

  @Override
  public int peerId() {
    return replies.peerId();
  }

  @Override
  public SessionReplies replies() {
    return replies;
  }

  public InboundPipe inbound() {
    return inbound;
  }

  @Override
  public @Nullable Connection connection() {
    return connection;
  }

  public DataPath data() {
    return data;
  }

  public @Nullable Link link() {
    return link;
  }

  @Override
  public InboundGrants grants() {
    return grants;
  }

  public OutboundPipe pipe() {
    return pipe;
  }

  /** Whether the peer expects other frames than those of the handshake; any thread. */
  public boolean isReady() {
    return welcomed && phase == Phase.READY && !end.isBegun();
  }

  /** What the peer is told, but data. */
  public SessionControl control() {
    return control;
  }

  @Override
  public void creditDue() {
    control.creditDue();
  }

  @Override
  public void writable() {
    pipe.writable();
  }

  // The end.

  /** The peer broke a rule: counted, and the link ends with a CLOSE that says why. */
  @Override
  public void violated(Throwable violation) {
    violations.found(violation);
  }

  /** What is said before the end. */
  public Farewell farewell() {
    return farewell;
  }

  @Override
  public void failed(Throwable cause) {
    String text = WRITE_FAILED;
    try {
      boolean closed = cause.getClass() == ClosedChannelException.class; // not by an interrupt
      text = closed ? CLOSED_BY_PEER : writeFailed(cause); // what this side closes ends before
    } finally { // also if there is no memory for its text
      end(text);
    }
  }

  /** What is said where a write has failed: what the medium says, or else what has gone wrong. */
  public static String writeFailed(Throwable cause) {
    String message = cause instanceof IOException ? cause.getMessage() : null;
    return WRITE_FAILED + ": " + (message == null ? cause.toString() : message);
  }

  /** Ends the link; the connection hears of it through {@link #closed}. Any thread, idempotent. */
  void end(String cause) {
    try {
      end.begin(cause);
    } finally { // also if there is no heap to get further
      Connection.ends(connection, this);
    }
  }

  /** How far its end is, and why it ends. */
  public SessionEnd ending() {
    return end;
  }

  @Override
  public void closed(@Nullable Throwable cause) {
    if (cause instanceof SSLException failure && phase != Phase.READY && !end.isBegun()) {
      handshake.notSecured(failure);
    }
    end.because(cause == null ? CLOSED_BY_PEER : String.valueOf(cause.getMessage()));
    end.begin(end.cause());
    data.close(); // another thread may have begun to end it, and have come no further
    handshake.ended();
    assembler.close();
    grants.close();
    receiveWindow.close();
    synchronized (stateLock) {
      closed = true;
    }
    connections.sessionClosed(this);
  }

  /** The address that the link came from, if its end is to be told of; once. */
  @Nullable String takeAddress() {
    String address = acceptedFrom;
    acceptedFrom = null;
    return address;
  }

  /** Signs of life on this link. */
  public Pulse pulse() {
    return pulse;
  }

  public long receivedBytes() {
    return assembler.receivedBytes();
  }

  public ReceiveWindow receiveWindow() {
    return receiveWindow;
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
