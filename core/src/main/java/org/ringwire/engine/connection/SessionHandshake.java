package org.ringwire.engine.connection;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.ringwire.MemoryLimitException;
import org.ringwire.NodeListener;
import org.ringwire.engine.connection.PeerSession.Phase;
import org.ringwire.engine.connection.handshake.Handshakes;
import org.ringwire.engine.connection.handshake.LinkAuthentication;
import org.ringwire.engine.connection.handshake.LinkPeer;
import org.ringwire.engine.inbound.ReceiveWindow;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.flight.FlightEvents;
import org.ringwire.transport.Link;
import org.ringwire.wire.Bytes32;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Limits;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.Refusal;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.Welcome;

/**
 * The beginning of a link: HELLO, where a secret is shared CHALLENGE and PROOF, and WELCOME or
 * REFUSE. Reading thread of the link; the decision about a HELLO may come later, on another thread.
 */
final class SessionHandshake {

  private final NodeServices services;
  private final Connections connections;
  private final PeerSession session;
  private final ReceiveWindow window;
  private final boolean opener;
  private final LinkAuthentication authentication;
  private final AtomicBoolean inHandshake = new AtomicBoolean(true);
  private volatile int claimedId = NodeListener.UNKNOWN_NODE;
  private volatile @Nullable ScheduledFuture<?> timeout;
  private byte @Nullable [] unproved; // the HELLO; what it says may take five times as much
  private @Nullable Limits peerLimits; // before the session is welcomed, by who welcomes it

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
    authentication = new LinkAuthentication(services.config().authentication().secret());
  }

  /** The link is there; from now on the handshake may take so long and no longer. */
  void begin(@Nullable Connection owner) {
    timeout =
        services
            .timers()
            .schedule(
                this::timedOut, services.config().connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
    if (opener && owner != null) {
      byte[] hello = owner.handshake().hello(connections.isListening()).encode();
      authentication.hello(hello);
      session.pulse().asks();
      session.control().send(hello);
      owner.handshake().outboundOpened();
    }
  }

  private void timedOut() {
    String limit = " connectTimeout=" + services.config().connectTimeout();
    Connection owner = opener ? session.connection() : null;
    try {
      if (owner != null) {
        owner.letGoUnwelcomed(session);
      }
    } finally { // also if there is no heap for that
      session.end("handshake timed out: phase=" + session.phase() + limit);
    }
    if (owner != null) {
      owner.wasSilent();
    }
  }

  /** The peer's HELLO, on the reading thread. */
  void hello(MemorySegment memory, long offset, long header) {
    session.phase(Phase.DECIDING);
    Hello hello;
    try {
      hello = Hello.parse(memory, offset, header);
    } catch (ProtocolException e) {
      refuse(RefusalReason.of(e.reason()), e.getMessage());
      return;
    }
    claimedId = hello.nodeId();
    String objection = LinkPeer.objection(session.link(), hello.nodeId());
    if (objection != null) {
      rejected(Reason.AUTHENTICATION, claimedId, objection);
      refuse(RefusalReason.AUTHENTICATION, objection);
    } else if (hello.authentication() != authentication.method()) {
      refuse(
          RefusalReason.AUTHENTICATION,
          authentication.isRequired()
              ? "this node demands that both sides know a shared secret"
              : "the opener demands a proof that this node cannot give: it has no shared secret");
    } else if (authentication.isRequired()) {
      byte[] frame = ControlFrames.bytes(memory, offset, header);
      unproved = frame;
      authentication.hello(frame);
      session.phase(Phase.AWAITING_PROOF);
      session.control().send(ControlFrames.challenge(authentication.challenge()));
    } else {
      connections.admissions().hello(session, hello);
    }
  }

  /** The acceptor asks for a proof. */
  void challenged(Bytes32 challenge) {
    authentication.challenged(challenge);
    session.control().send(ControlFrames.proof(authentication.openerProof()));
  }

  /** The opener answers the challenge. */
  void proved(Bytes32 proof) {
    session.phase(Phase.DECIDING);
    MemorySegment hello = MemorySegment.ofArray(Objects.requireNonNull(unproved, "hello"));
    unproved = null; // nothing of it is kept as long as there is the link
    if (authentication.isOpenerProof(proof)) {
      connections
          .admissions()
          .hello(session, Hello.parse(hello, 0, FrameLayout.readHeader(hello, 0)));
    } else {
      rejected(Reason.AUTHENTICATION, claimedId, "no proof");
      refuse(RefusalReason.AUTHENTICATION, "the opener does not know the shared secret");
    }
  }

  /**
   * By {@link Admissions}, on the reading thread, of a peer that belongs here: looks at whether
   * what it writes can be read.
   *
   * @return false if one of its types is refused, and the peer with it
   */
  boolean learnTypes(Hello hello) {
    try {
      hello.types().forEach(session.inbound()::announced);
      return true;
    } catch (ProtocolException e) {
      refuse(RefusalReason.of(e.reason()), e.getMessage());
      return false;
    }
  }

  /** By {@link Admissions}: the peer only wants to know who is there. */
  void identify(Hello hello) {
    session.phase(Phase.ENDING);
    session
        .control()
        .send(
            Handshakes.welcome(
                    services, hello, false, false, authentication.acceptorProof(), List.of())
                .encode());
    session.farewell().endAfterFlush("the peer has learned who is there");
  }

  /**
   * The peer's HELLO is accepted. Its next frame may be read by another thread as soon as the
   * WELCOME is written, so all that belongs to it is there before.
   *
   * @param shared whether data goes back over this link, which it is opened for
   */
  void welcome(Connection owner, Hello hello, boolean shared, boolean grant) {
    session.owner(owner);
    owner.handshake().peerFeatures(hello.features());
    peerLimits = hello.limits();
    session.takesData();
    if (!window.reserve()) {
      if (!session.ending().isBegun()) { // else its window is closed, and nobody is refused
        refuse(RefusalReason.LIMIT, services.windows().refusal(services.config().initialWindow()));
      }
      return;
    }
    List<TypeAnnouncement> types = shared ? Handshakes.announceTypes(services) : List.of();
    byte[] welcome =
        Handshakes.welcome(services, hello, shared, grant, authentication.acceptorProof(), types)
            .encode();
    if (shared) {
      session.data().openBehind(welcome, link(), hello.limits(), types, owner.nodeId());
    }
    if (grant) {
      window.open();
    }
    session
        .pulse()
        .welcomes(
            session.receivedBytes(),
            System.nanoTime() + services.config().connectTimeout().toNanos());
    session.pulse().asks();
    ready(); // before the WELCOME, after which data may come
    session.control().queue(welcome); // before anybody may send data behind it
    if (shared) {
      owner.open(session);
    }
    if (owner.isEnded()) { // the peer would take it for open, and lose what it sends
      session.end(owner.cause());
      return;
    }
    session.welcomed();
    session.pipe().drain();
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

  /**
   * Data goes back over this link after all, though its WELCOME did not say so: our own is gone.
   * The peer is told ahead of the data. Any thread, when it is welcomed.
   */
  void share(Connection owner) {
    Limits limits = Objects.requireNonNull(peerLimits, "limits");
    byte[] share = ControlFrames.share();
    session.data().openBehind(share, link(), limits, List.of(), owner.nodeId());
    session.control().queue(share);
    owner.open(session);
    session.pipe().drain();
  }

  /** The peer's own link is gone, and its data comes over this one of ours. Reading thread. */
  void peerShares() {
    Connection owner = session.connection();
    if (!opener || owner == null || session.isTakingData()) {
      throw session.unexpected(FrameLayout.SHARE);
    }
    if (tryTakeData()) {
      owner.shareOurs(session);
    }
  }

  /**
   * What we have opened carries the peer's data, too. Reading thread.
   *
   * @return false if this node has no memory for that: then the link ends, which is no fault of the
   *     peer
   */
  private boolean tryTakeData() {
    session.takesData();
    if (!window.reserve()) {
      String refusal = services.windows().refusal(services.config().initialWindow());
      session.violated(new MemoryLimitException(refusal));
      return false;
    }
    boolean _ = window.open();
    return true;
  }

  /** The WELCOME to our HELLO, on the reading thread. */
  void welcomed(MemorySegment memory, long offset, long header) {
    Welcome welcome = Welcome.parse(memory, offset, header);
    authentication.check(welcome);
    LinkPeer.require(session.link(), welcome.nodeId());
    Connection owner = session.connection();
    if (owner == null || !owner.handshake().accepts(welcome)) {
      throw new ProtocolException(
          Reason.VALUE,
          "WELCOME of another node or life: nodeId="
              + welcome.nodeId()
              + " incarnation="
              + welcome.incarnation().id());
    }
    connections.addresses().hasAnswered(owner.nodeId());
    owner.handshake().peerFeatures(welcome.features());
    welcome.types().forEach(session.inbound()::announced);
    if (welcome.shared() && !tryTakeData()) {
      return;
    }
    session
        .data()
        .open(link(), welcome.limits(), owner.handshake().takeAnnounced(session), owner.nodeId());
    ready();
    session.welcomed();
    owner.handshake().outboundReady(session, welcome.shared());
  }

  private Link link() {
    return Objects.requireNonNull(session.link(), "link");
  }

  /** The handshake is over, or the link has ended before it was. */
  void ended() {
    ScheduledFuture<?> pending = timeout;
    if (pending != null) {
      pending.cancel(false);
    }
    if (!opener && inHandshake.compareAndSet(true, false)) {
      connections.accepted().handshakeEnded(session.host());
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
    services.listening().refused(claimedId, reason + ": " + refusal);
    session.phase(Phase.ENDING);
    session.control().send(new Refusal(reason, refusal).encode());
    session.farewell().endAfterFlush("refused: " + reason + ": " + refusal);
  }

  /** Refuses a node whose id another one has, which says something over its link. */
  void refuseDuplicate(int nodeId, @Nullable Link alive) {
    String address = alive == null ? "" : ": address=" + alive.remote();
    refuse(RefusalReason.DUPLICATE_NODE, "node " + nodeId + " is connected and alive" + address);
  }

  /** The link ended because TLS failed: counted, and told at both ends. */
  void notSecured(SSLException failure) {
    int peerId = opener ? session.peerId() : claimedId;
    String text = String.valueOf(failure.getMessage());
    rejected(Reason.TLS, peerId, text);
    if (!opener) {
      services.counters().handshakesRefused.increment();
    }
    services.listening().refused(peerId, text);
  }

  /** Who is on the other side is not who it should be: counted, and recorded. */
  private void rejected(Reason rule, int peerId, String text) {
    services.counters().rejected(rule);
    FlightEvents.get().rejected(services.config().nodeId(), peerId, rule.name(), text);
  }

  /** Our HELLO was refused. */
  void refused(Refusal refusal) {
    services.listening().refused(session.peerId(), refusal.reason() + ": " + refusal.text());
    session.end("refused by the peer: " + refusal.reason() + ": " + refusal.text());
  }
}
