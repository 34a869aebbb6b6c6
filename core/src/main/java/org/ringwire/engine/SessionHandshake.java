package org.ringwire.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeListener;
import org.ringwire.engine.PeerSession.Phase;
import org.ringwire.engine.inbound.ReceiveWindow;
import org.ringwire.wire.Hello;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.Refusal;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.Welcome;

/**
 * The beginning of a link: HELLO, and WELCOME or REFUSE. Reading thread of the link; the decision
 * about a HELLO may come later, on another thread.
 */
final class SessionHandshake {

  private final NodeServices services;
  private final Connections connections;
  private final PeerSession session;
  private final ReceiveWindow window;
  private final boolean opener;
  private final AtomicBoolean inHandshake = new AtomicBoolean(true);
  private volatile int claimedId = NodeListener.UNKNOWN_NODE;
  private volatile @Nullable ScheduledFuture<?> timeout;

  SessionHandshake(
      NodeServices services,
      Connections connections,
      PeerSession session,
      ReceiveWindow window,
      boolean opener) {
    this.services = services;
    this.connections = connections;
    this.session = session;
    this.window = window;
    this.opener = opener;
  }

  /** The link is there; from now on the handshake may take so long and no longer. */
  void begin(@Nullable Connection owner) {
    timeout =
        services
            .timers()
            .schedule(
                session::handshakeTimedOut,
                services.config().connectTimeout().toNanos(),
                TimeUnit.NANOSECONDS);
    if (opener && owner != null) {
      session.sendControl(owner.hello().encode());
    }
  }

  /** The peer's HELLO, on the reading thread. */
  void hello(MemorySegment memory, long offset, long header) {
    session.phase(Phase.DECIDING);
    Hello hello;
    try {
      hello = Hello.parse(memory, offset, header);
      claimedId = hello.nodeId();
      hello.types().forEach(session.inbound()::announced);
    } catch (ProtocolException e) {
      refuse(RefusalReason.of(e.reason()), e.getMessage());
      return;
    }
    connections.hello(session, hello);
  }

  /** By {@link Connections}: the peer only wants to know who is there. */
  void identify(Hello hello) {
    session.phase(Phase.ENDING);
    session.sendControl(Handshakes.welcome(services, hello, false, false, List.of()).encode());
    session.endAfterFlush("the peer has learned who is there", null);
  }

  /** By {@link Connections}: the peer's HELLO is accepted. */
  void welcome(Connection owner, Hello hello, boolean shared, boolean grant) {
    session.owner(owner);
    session.takesData();
    if (!window.reserve()) {
      refuse(RefusalReason.LIMIT, "no memory for another window");
      return;
    }
    List<TypeAnnouncement> types = shared ? Handshakes.announceTypes(services) : List.of();
    if (shared) {
      session.data().open(hello.limits(), types, owner.nodeId());
    }
    if (grant) {
      window.open();
    }
    ready(); // before the WELCOME, after which data may come
    session.sendControl(Handshakes.welcome(services, hello, shared, grant, types).encode());
    if (!grant && owner.sender() != null) {
      grantInitialWindow(); // our own link has opened in the meantime
    }
  }

  /**
   * Data may come now that answers can go back. Until then, when two nodes connect to each other at
   * the same time, the window is closed.
   */
  void grantInitialWindow() {
    if (session.isTakingData() && window.open()) {
      session.creditDue();
    }
  }

  /** The WELCOME to our HELLO, on the reading thread. */
  void welcomed(MemorySegment memory, long offset, long header) {
    Welcome welcome = Welcome.parse(memory, offset, header);
    Connection owner = session.connection();
    if (owner == null || !owner.accepts(welcome)) {
      throw new ProtocolException(
          Reason.VALUE,
          "WELCOME of another node or life: nodeId="
              + welcome.nodeId()
              + " incarnation="
              + welcome.incarnation().id());
    }
    welcome.types().forEach(session.inbound()::announced);
    if (welcome.shared()) {
      session.takesData();
      if (!window.reserve()) {
        throw new ProtocolException(Reason.LIMIT, "no memory for another window");
      }
      window.open();
    }
    session.data().open(welcome.limits(), owner.announcedIn(session), owner.nodeId());
    ready();
    owner.outboundReady(session, welcome.shared());
  }

  /** The handshake is over, or the link has ended before it was. */
  void ended() {
    ScheduledFuture<?> pending = timeout;
    if (pending != null) {
      pending.cancel(false);
    }
    if (!opener && inHandshake.compareAndSet(true, false)) {
      connections.handshakeEnded();
    }
  }

  private void ready() {
    ended();
    session.ready();
  }

  /** Answers a HELLO with REFUSE and ends the link. */
  void refuse(RefusalReason reason, @Nullable String text) {
    String refusal = String.valueOf(text);
    services.counters().handshakesRefused.increment();
    services.event(() -> services.config().listener().refused(claimedId, reason + ": " + refusal));
    session.phase(Phase.ENDING);
    session.sendControl(new Refusal(reason, refusal).encode());
    session.endAfterFlush("refused: " + reason + ": " + refusal, null);
  }

  /** Our HELLO was refused. */
  void refused(Refusal refusal) {
    services.event(() ->
        services
            .config()
            .listener()
            .refused(session.peerId(), refusal.reason() + ": " + refusal.text()));
    session.end("refused by the peer: " + refusal.reason() + ": " + refusal.text(), null);
  }
}
