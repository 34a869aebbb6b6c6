package org.ringwire.engine.connection;

import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.connection.handshake.Handshakes;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Incarnation;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.Welcome;

/**
 * What the handshakes on the links of a {@link Connection} tell and decide: which life of the peer
 * it is, what that peer knows, and which link carries whose data. Each side opens a link for its
 * own data. A peer's HELLO that comes before our link is under way waits for that link, for an
 * answer promises that data can go back; where ours cannot be opened, both share the peer's. One
 * that comes while ours is under way waits until the medium has opened ours, and no longer: the
 * peer may wait for our WELCOME in the same way.
 *
 * <p>A medium may be silent about a link that it cannot open, as where a firewall drops what goes
 * that way; or opens it, and what is there says nothing. The peer waits no longer than its
 * handshake may take, so ours has half of that time. If the peer has heard our HELLO after all, and
 * is only slow, it lets go of that link when it hears that its own is shared. A HELLO that came
 * while ours was under way, however, is answered as soon as ours is opened, by the peer or by what
 * says nothing. It cannot wait longer, for the peer may do the same: if each then let go of its own
 * link before it heard of the other's, none were left. So ours has all of its time then. If it ends
 * without a WELCOME, be it that time is over or that what has taken it closes it, the peer is told
 * by a SHARE, before that end where we decide about it, that its link carries the data of both
 * after all. If its link to us is as mute, it ends by then as well, and the connection with both.
 *
 * <p>The lock is that of the connection: so of a link of ours that begins or ends, and a HELLO that
 * comes, one sees the other. What is written with the lock held is read without where an old value
 * does no harm: incarnation and features are written before the connection opens. What was
 * announced is read by the thread that reads our link, or goes with that link.
 */
final class ConnectionHandshake {

  private final NodeServices services;
  private final Connection connection;
  private final Object lock;
  private volatile long peerFeatures; // with the lock held, as the next two
  private volatile long peerIncarnation;
  private boolean welcomed; // by the peer, on our link; with the lock held
  private boolean sharing; // once set, for good; with the lock held, as the next one
  private @Nullable Waiting waiting;
  private @Nullable PeerSession deciding; // attached, and not answered; with the lock held
  private @Nullable PeerSession answering; // as one of two links; with the lock held, as the next
  private boolean told; // that its link is shared: by its WELCOME, or by a SHARE
  private @Nullable Future<?> bound; // of the wait; with the lock held
  private List<TypeAnnouncement> announced = List.of();

  /**
   * A HELLO that waits for our link.
   *
   * @param crossing whether it came while our link was under way
   */
  private record Waiting(PeerSession session, Hello hello, boolean crossing) {}

  /**
   * Before any link.
   *
   * @param lock of the connection
   */
  ConnectionHandshake(NodeServices services, Connection connection, Object lock) {
    this.services = services;
    this.connection = connection;
    this.lock = lock;
  }

  long peerIncarnation() {
    return peerIncarnation;
  }

  /** What the peer knows, as a handshake has told. */
  void peerFeatures(long features) {
    synchronized (lock) {
      peerFeatures |= features;
    }
  }

  /** Whether the peer answers a CLOSE by one, and says when it has finished. */
  boolean peerDrains() {
    return (peerFeatures & Handshake.DRAINS) != 0;
  }

  /** Whether the peer can be told later that its link is shared. */
  boolean peerShares() {
    return (peerFeatures & Handshake.SHARES) != 0;
  }

  /** Whether the peer understands why its large frames must wait. */
  boolean peerKnowsDelays() {
    return (peerFeatures & Handshake.DELAYS) != 0;
  }

  // Our link.

  /** The HELLO for our link, of a node that listens, or does not. */
  Hello hello(boolean listens) {
    List<TypeAnnouncement> types = Handshakes.announceTypes(services);
    synchronized (lock) { // else what a link has announced that is let go of might be kept for good
      announced = sharing ? List.of() : types;
    }
    return Handshakes.hello(services, listens, connection.nodeId(), peerIncarnation, types);
  }

  /** What our HELLO has announced on a link: asked for once, as schemas may take a megabyte. */
  List<TypeAnnouncement> takeAnnounced(PeerSession session) {
    if (session != connection.outbound()) {
      return List.of();
    }
    List<TypeAnnouncement> taken = announced;
    announced = List.of();
    return taken;
  }

  /** Whether a WELCOME comes from the node and life that we mean. */
  boolean accepts(Welcome welcome) {
    return welcome.nodeId() == connection.nodeId()
        && welcome.expectedIncarnation() == services.incarnation().id()
        && learn(welcome.incarnation(), true);
  }

  /** Whether it is the life of the peer that this connection is with, or its first. Any thread. */
  boolean learn(Incarnation incarnation) {
    return learn(incarnation, false);
  }

  private boolean learn(Incarnation incarnation, boolean byWelcome) {
    synchronized (lock) {
      if (peerIncarnation == Incarnation.UNKNOWN) {
        peerIncarnation = incarnation.id();
      }
      boolean same = peerIncarnation == incarnation.id();
      welcomed |= byWelcome && same;
      return same;
    }
  }

  /** Our link is usable. */
  void outboundReady(PeerSession session, boolean shared) {
    if (shared) {
      connection.shareOurs(session);
    }
    connection.open(session);
    answerWaiting(false);
  }

  // The peer's link.

  /**
   * It has become part of the connection, and {@link #welcomeInbound} follows: if ours ends before
   * that, this one is shared. With the lock held.
   */
  void decides(PeerSession session) {
    deciding = session;
  }

  /**
   * The peer's HELLO is accepted: answers it at once if our own link is there, else first tries to
   * open it, and shares the peer's link if that fails.
   */
  void welcomeInbound(PeerSession session, Hello hello, @Nullable String address) {
    PeerSession ours;
    boolean answer = false;
    boolean shared = false;
    synchronized (lock) {
      deciding = null;
      ours = connection.outbound();
      boolean oneLink = sharing || hello.shared() || !hello.hasListener() || address == null;
      if (ours != null && ours.ending().isSpeaking()) { // data may come when it is welcomed
        answer = true;
        beginAnswer(session, hello);
      } else if (ours == null && oneLink) {
        answer = true;
        shared = true;
        share();
        told = true;
      } else {
        waiting = new Waiting(session, hello, ours != null);
      }
    }
    if (answer) {
      answer(session, hello, shared);
    } else if (ours == null) {
      connection.startOutbound(address);
      ours = connection.outbound();
    }
    if (!answer && ours != null) {
      boundWait(ours);
    }
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Bound(ConnectionHandshake handshake, PeerSession ours) implements Runnable {
    @Override
    public void run() {
      handshake.shareUnlessAnswered(ours);
    }
  }

  /** Ours may be under way for a while: a peer that has less time comes again and again. */
  private void boundWait(PeerSession ours) {
    long takenNs = System.nanoTime() - connection.attempt().beganNs();
    long patienceNs = Math.max(0, services.config().connectTimeout().toNanos() / 2 - takenNs);
    Future<?> wait = services.laterIfWanted(new Bound(this, ours), patienceNs);
    synchronized (lock) {
      bound = wait;
      if (waiting == null || connection.isEnded()) {
        waitNoMore();
      }
    }
  }

  /**
   * Takes the bound of the wait off the timer, or that would keep the connection for as long; with
   * the lock held.
   */
  void waitNoMore() {
    Future<?> wait = bound;
    bound = null;
    if (wait != null) {
      boolean _ = wait.cancel(false);
    }
  }

  private void shareUnlessAnswered(PeerSession ours) {
    if (connection.letGoSilent(ours)) {
      ours.end("the peer's link is shared: this one was not there in time");
      answerWaiting(true);
      connection.wasSilent(); // last: nobody needs it
    }
  }

  /** Our link is there, and has said HELLO. */
  void outboundOpened() {
    answer(takeWaiting(true, false), false);
  }

  private void answer(PeerSession session, Hello hello, boolean shared) {
    try {
      session.handshake().welcome(connection, hello, shared, shared || connection.sender() != null);
    } finally { // also if there is no heap for it
      if (!shared) {
        endAnswer(session);
      }
    }
  }

  /** A HELLO is about to be answered as if ours would come; with the lock held. */
  private void beginAnswer(PeerSession session, Hello hello) {
    answering = session;
    peerFeatures |= hello.features();
  }

  private void endAnswer(PeerSession session) {
    synchronized (lock) {
      if (answering != session) {
        return; // it has gone, and another one has come
      }
      answering = null;
    }
    shareAnswered(); // if ours has gone meanwhile
  }

  /** Whether a link of the peer's is just being answered as one of two; with the lock held. */
  boolean isAnswering(PeerSession session) {
    return answering == session;
  }

  /**
   * The peer's link is to carry the data of both, and this side opens none; with the lock held.
   * Whoever decides so opens the connection a little later, without the lock. What our HELLO may
   * have announced is kept for no WELCOME any more.
   */
  void share() {
    sharing = true;
    announced = List.of();
  }

  /** Whether the peer's link carries the data of both, or is about to; with the lock held. */
  boolean isSharing() {
    return sharing;
  }

  /** Whether a HELLO waits for our link, or is about to; with the lock held. */
  boolean isWaiting() {
    return waiting != null || deciding != null;
  }

  /**
   * The peer's link is gone; with the lock held. The next one may be of another life, unless ours
   * was welcomed by this one.
   */
  void forgetInbound() {
    waiting = null;
    deciding = null;
    waitNoMore();
    if (!welcomed) {
      peerIncarnation = Incarnation.UNKNOWN;
      peerFeatures = 0;
    }
  }

  /** Our link is gone, and both share the peer's, whose HELLO waits, or was answered otherwise. */
  void shareInbound() {
    Waiting taken = takeWaiting(false, true);
    if (taken != null) {
      answer(taken, true);
    } else {
      shareAnswered();
    }
  }

  /** By who lets go of our link, and by who has answered the peer's: the last one does it, once. */
  private void shareAnswered() {
    PeerSession in;
    synchronized (lock) {
      if (!sharing || told || answering != null || deciding != null) {
        return;
      }
      told = true;
      in = connection.inbound(); // none takes its place any more
    }
    if (in != null && in.isReady()) { // else it ends, and the connection with it
      in.handshake().share(connection);
    }
  }

  /** Answers the HELLO that waits for our link, if one does: the link is there, or cannot be. */
  void answerWaiting(boolean shared) {
    answer(takeWaiting(false, shared), shared);
  }

  private @Nullable Waiting takeWaiting(boolean crossingOnly, boolean shared) {
    synchronized (lock) {
      Waiting taken = waiting;
      boolean late = sharing && !shared; // our link is let go of, whatever it brings
      if (taken == null || late || (crossingOnly && !taken.crossing)) {
        return null;
      }
      waiting = null;
      waitNoMore();
      told |= shared;
      if (!shared) {
        beginAnswer(taken.session, taken.hello);
      }
      return taken;
    }
  }

  private void answer(@Nullable Waiting taken, boolean shared) {
    if (taken != null) {
      answer(taken.session, taken.hello, shared);
    }
  }
}
