package org.ringwire.engine.connection;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.RefusalReason;

/**
 * Decides about the HELLOs of peers: whom this node takes in.
 *
 * <p>On the thread that reads the link, unless another life of the peer had to be asked for a sign
 * first: then on one of those for name servers, as the directory is asked where the peer is, and
 * may be slower than it should, and the timer has others to serve. A name is looked up elsewhere
 * ({@link LinkOpening}).
 */
final class Admissions {

  private static final long PROBE_NS = 500_000_000;

  private final NodeServices services;
  private final Connections connections;
  private final Set<PeerSession> deciding = ConcurrentHashMap.newKeySet();

  Admissions(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
  }

  /** Links about whose HELLO their reading threads decide at this moment. Any thread. */
  Set<PeerSession> deciding() {
    return deciding;
  }

  /** Decides about a HELLO whose form is good. Reading thread of its link. */
  void hello(PeerSession session, Hello hello) {
    deciding.add(session); // it is part of no connection, and what follows may take its time
    try {
      decide(session, hello);
    } finally {
      deciding.remove(session);
    }
  }

  private void decide(PeerSession session, Hello hello) {
    int own = services.config().nodeId();
    long incarnation = services.incarnation().id();
    if (connections.isClosing()) {
      refuseClosing(session);
    } else if (!hello.cluster().equals(services.config().cluster())) {
      session
          .handshake()
          .refuse(
              RefusalReason.WRONG_CLUSTER,
              "wrong cluster: expected="
                  + services.config().cluster()
                  + " actual="
                  + hello.quotedCluster());
    } else if (hello.expectedNodeId() != Handshake.ANY_NODE && hello.expectedNodeId() != own) {
      session
          .handshake()
          .refuse(
              RefusalReason.WRONG_NODE,
              "this is another node: expected=" + hello.expectedNodeId() + " actual=" + own);
    } else if (hello.nodeId() == own && hello.incarnation().id() != incarnation) {
      session
          .handshake()
          .refuse(
              RefusalReason.DUPLICATE_NODE, "the opener claims this node's own id: nodeId=" + own);
    } else if (hello.expectedIncarnation() != 0 && hello.expectedIncarnation() != incarnation) {
      session.handshake().refuse(RefusalReason.STALE_INCARNATION, "node " + own + " was restarted");
    } else if (hello.inquiry()) {
      session.handshake().identify(hello);
    } else if (session.handshake().learnTypes(hello)) { // last, as this may take some time
      admit(session, hello);
    }
  }

  private void refuseClosing(PeerSession session) {
    int own = services.config().nodeId();
    session.handshake().refuse(RefusalReason.SHUTTING_DOWN, "node " + own + " is closing");
  }

  /**
   * Reading thread, or another one. A HELLO whose link has ended meanwhile decides nothing: the
   * next one of the same life may have been admitted, and would be taken for the one before. A link
   * may also end right after this look, as any link may after its HELLO: so it takes the place of
   * the one alone that was there before the look.
   *
   * <p>A peer that shares our link may have opened one itself before, over which it has not heard
   * of us in time. The HELLO of that is late, and its end follows: so it is looked at again, unless
   * the shared link has ended already. That is before the peer gives its link up, which may be as
   * soon as this node would: else the next one of a peer that has lost the shared link unnoticed
   * would fare alike.
   */
  private void admit(PeerSession session, Hello hello) {
    admit(session, hello, false);
  }

  private void admit(PeerSession session, Hello hello, boolean again) {
    int nodeId = hello.nodeId();
    String address = connections.addresses().wayBack(nodeId); // first: an error begins nothing
    Connection existing = connections.listed(nodeId);
    PeerSession old = existing == null ? null : existing.inbound();
    if (session.ending().isBegun()) {
      return; // its memory is freed by who ends it
    }
    if (connections.isClosing()) { // by now: a probe takes its time
      refuseClosing(session);
      return;
    }
    if (existing != null && old != null) {
      if (existing.handshake().peerIncarnation() != hello.incarnation().id()) {
        probe(existing, session, hello);
        return;
      }
      if (!again && sharesOurs(existing, old)) {
        long halfNs = services.config().connectTimeout().toNanos() / 2;
        services.later(new Again(this, session, hello, true), Math.min(PROBE_NS, halfNs));
        return;
      }
      if (!replaceLink(existing, old)) {
        admit(session, hello); // it has changed just now
        return;
      }
    }
    if (existing != null && existing.isEnded()) {
      existing.resumeEnd(); // its own thread does so, too, or has done
      existing = null;
    }
    String refusal = existing == null ? connections.memoryRefusal() : null;
    if (refusal == null && !session.receiveWindow().reserve()) { // before a link back is opened
      refusal = services.windows().refusal(services.config().initialWindow());
    }
    if (refusal != null && !session.ending().isBegun()) { // else its window is closed, not too much
      session.handshake().refuse(RefusalReason.LIMIT, refusal);
    } else if (refusal == null && existing != null) {
      join(existing, session, hello, address);
    } else if (refusal == null) {
      enter(session, hello, address);
    }
  }

  /** Whether the peer shares our link, and for all that is known here still does. */
  private static boolean sharesOurs(Connection existing, PeerSession old) {
    return old == existing.outbound()
        && !old.ending().isBegun()
        && !existing.isEnded()
        && !existing.orderlyEnd().isFinished(); // the peer has closed it, and comes back
  }

  private void enter(PeerSession session, Hello hello, @Nullable String address) {
    Connection created = connections.newConnection(hello.nodeId());
    Connection connection = connections.enter(created);
    if (connection == created && connections.isClosing()) { // a close may not have seen it
      created.giveUp("this node closes");
      refuseClosing(session);
    } else {
      join(connection, session, hello, address);
    }
  }

  /** The peer's link, which has a window, becomes part of a connection. */
  private void join(
      Connection connection, PeerSession session, Hello hello, @Nullable String address) {
    if (connection.isEnded()) {
      admit(session, hello); // just now
    } else if (!connection.handshake().learn(hello.incarnation())) { // before it is part of that
      otherLife(connection, session, hello);
    } else if (connection.attach(session)) {
      if (session.belongTo(connection)) {
        connection.handshake().welcomeInbound(session, hello, address);
      } else {
        connection.sessionClosed(session);
      }
    } else if (connection.isEnded()) {
      admit(session, hello); // it has ended just now
    } else {
      session
          .handshake()
          .refuse(RefusalReason.LIMIT, "another link of node " + hello.nodeId() + " came first");
    }
  }

  /** The life that is connected has opened no link of its own so far, and may be gone already. */
  private void otherLife(Connection connection, PeerSession session, Hello hello) {
    PeerSession ours = connection.outbound();
    if (connection.inbound() == null && ours != null && ours.isReady()) {
      probe(connection, ours, session, hello);
    } else {
      session
          .handshake()
          .refuse(RefusalReason.STALE_INCARNATION, "another life of this node is connected");
    }
  }

  /**
   * The same life of a peer opens another link in place of the one it had, with which the
   * connection may end.
   *
   * @return false if that is not its link any more
   */
  private static boolean replaceLink(Connection existing, PeerSession old) {
    String why = "the peer has opened a new link in place of the old one";
    if (existing.tryDetach(old)) {
      old.end(why);
      return true;
    }
    boolean late =
        existing.orderlyEnd().isFinished(); // the peer has closed it already, and comes back
    existing.endWith(old, late ? EndReason.DISMISSED : EndReason.REPLACED, why);
    return existing.isEnded();
  }

  /** No lambda, as the next one: one that finds no heap where it comes first is lost for ever. */
  private record Again(Admissions admissions, PeerSession session, Hello hello, boolean again)
      implements Runnable {

    @Override
    public void run() {
      admissions.leave(session, hello, again);
    }
  }

  private record Admitting(Admissions admissions, PeerSession session, Hello hello, boolean again)
      implements Runnable {

    @Override
    public void run() {
      try {
        admissions.admit(session, hello, again);
      } catch (RuntimeException | Error e) { // as where one meets the thread that reads
        session.end("this node failed at what was to be decided");
        admissions.services.errors().report("deciding about a HELLO", e);
      }
    }
  }

  /** Timer: another thread decides. */
  private void leave(PeerSession session, Hello hello, boolean again) {
    try {
      services.lookups().leave(new Admitting(this, session, hello, again));
    } catch (RejectedExecutionException e) { // the node closes, or name servers keep all threads
      session.end("too much is looked up at a time");
    }
  }

  /** Another life of a peer that is connected: the old one must fail a probe first (rule 13). */
  void probe(Connection existing, PeerSession session, Hello hello) {
    PeerSession old = existing.inbound();
    if (old == null) { // it has ended just now
      admit(session, hello);
      return;
    }
    if (!old.isReady() && !old.ending().isBegun()) { // nothing is said to it before its WELCOME
      services.later(new Again(this, session, hello, false), PROBE_NS);
      return;
    }
    probe(existing, old, session, hello);
  }

  /** By a link that is ready: of the old life's, or, if it has none, of ours. */
  private void probe(Connection existing, PeerSession old, PeerSession session, Hello hello) {
    long ping =
        old.control().ping(); // not any sign: bytes of a peer that is dead may still be under way
    probe(existing, old, ping, session, hello, patienceNs(existing, old));
  }

  private void probe(
      Connection existing,
      PeerSession old,
      long ping,
      PeerSession session,
      Hello hello,
      long leftNs) {
    long stepNs = Math.min(PROBE_NS, leftNs);
    services.later(new Probe(this, existing, old, ping, session, hello, leftNs - stepNs), stepNs);
  }

  private record Probe(
      Admissions admissions,
      Connection existing,
      PeerSession old,
      long ping,
      PeerSession session,
      Hello hello,
      long leftNs)
      implements Runnable {

    @Override
    public void run() {
      boolean there = !existing.isEnded() && existing.has(old);
      if (there && old.pulse().hasAnswered(ping)) {
        session.handshake().refuseDuplicate(hello.nodeId(), old.link());
        return;
      }
      if (there && leftNs > 0) {
        admissions.probe(existing, old, ping, session, hello, leftNs);
        return;
      }
      if (there) { // also if the new life's link has ended: its next one is admitted at once
        String why = "no sign of life, and a new life of the node has come";
        try {
          old.farewell().say(CloseReason.REPLACED, why); // it may be alive after all
        } finally {
          existing.endWith(old, EndReason.REPLACED, why);
        }
      }
      admissions.leave(session, hello, false);
    }
  }

  /**
   * How long a peer may take to say that it lives: longer where its answer to the handshake has
   * taken longer, as it may be far away, or none has come yet. As its new life waits no longer than
   * its handshake may take, that is no more than half of it.
   */
  private long patienceNs(Connection existing, PeerSession old) {
    PeerSession out = existing.outbound();
    long answerNs = old.pulse().answerNs();
    if (out != null) {
      answerNs = Math.min(answerNs, out.pulse().answerNs());
    }
    long mostNs = Math.max(PROBE_NS, services.config().connectTimeout().toNanos() / 2);
    return Math.min(mostNs - PROBE_NS, answerNs) + PROBE_NS;
  }
}
