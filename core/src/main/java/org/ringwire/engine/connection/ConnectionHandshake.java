package org.ringwire.engine.connection;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Incarnation;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.Welcome;

/**
 * What the handshakes on the links of a {@link Connection} tell and decide: which life of the peer
 * it is, what that peer knows, and which link carries whose data. Each side opens a link for its
 * own data. A peer's HELLO that comes before our link is under way waits for that link, for an
 * answer promises that data can go back; where ours cannot be opened, both share the peer's.
 *
 * <p>The lock is that of the connection: so of a link of ours that begins or ends, and a HELLO that
 * comes, one sees the other. What is written with the lock held is read without where an old value
 * does no harm: incarnation and features are written before the connection opens. What was
 * announced is written and read by the thread that reads our link.
 */
final class ConnectionHandshake {

  private final NodeServices services;
  private final Connection connection;
  private final ReentrantLock lock;
  private volatile long peerFeatures; // with the lock held, as the next two
  private volatile long peerIncarnation;
  private @Nullable Hello waitingHello;
  private List<TypeAnnouncement> announced = List.of();

  /**
   * Before any link.
   *
   * @param lock of the connection
   */
  ConnectionHandshake(NodeServices services, Connection connection, ReentrantLock lock) {
    this.services = services;
    this.connection = connection;
    this.lock = lock;
  }

  long peerIncarnation() {
    return peerIncarnation;
  }

  /** What the peer knows, as a handshake has told. */
  void peerFeatures(long features) {
    lock.lock();
    try {
      peerFeatures |= features;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the peer answers a CLOSE by one, and says when it has finished. */
  boolean peerDrains() {
    return (peerFeatures & Handshake.DRAINS) != 0;
  }

  /** Whether the peer understands why its large frames must wait. */
  boolean peerKnowsDelays() {
    return (peerFeatures & Handshake.DELAYS) != 0;
  }

  // Our link.

  /** The HELLO for our link. */
  Hello hello() {
    List<TypeAnnouncement> types = Handshakes.announceTypes(services);
    announced = types;
    return Handshakes.hello(services, connection.nodeId(), peerIncarnation, types);
  }

  List<TypeAnnouncement> announcedIn(PeerSession session) {
    return session == connection.outbound() ? announced : List.of();
  }

  /** Whether a WELCOME comes from the node and life that we mean. */
  boolean accepts(Welcome welcome) {
    return welcome.nodeId() == connection.nodeId()
        && welcome.expectedIncarnation() == services.incarnation().id()
        && learn(welcome.incarnation());
  }

  private boolean learn(Incarnation incarnation) {
    lock.lock();
    try {
      if (peerIncarnation == Incarnation.UNKNOWN) {
        peerIncarnation = incarnation.id();
      }
      return peerIncarnation == incarnation.id();
    } finally {
      lock.unlock();
    }
  }

  /** Our link is usable. */
  void outboundReady(PeerSession session, boolean shared) {
    if (shared) {
      connection.attach(session);
    }
    connection.open(session);
    answerWaiting(false);
  }

  // The peer's link.

  /**
   * The peer's HELLO is accepted: answers it at once if our own link is there or under way, else
   * first tries to open it, and shares the peer's link if that fails.
   */
  void welcomeInbound(PeerSession session, Hello hello, @Nullable String address) {
    if (!learn(hello.incarnation())) {
      session
          .handshake()
          .refuse(RefusalReason.STALE_INCARNATION, "another life of this node is connected");
      return;
    }
    boolean connectBack = false;
    boolean answer = false;
    boolean shared = false;
    lock.lock();
    try {
      if (connection.outbound() != null) { // there, or under way: then data may come when it is
        answer = true;
      } else if (hello.shared() || !hello.hasListener() || address == null) {
        answer = true;
        shared = true;
      } else {
        waitingHello = hello;
        connectBack = true;
      }
    } finally {
      lock.unlock();
    }
    if (answer) {
      answer(session, hello, shared);
    }
    if (connectBack) {
      connection.startOutbound(address);
    }
  }

  private void answer(PeerSession session, Hello hello, boolean shared) {
    session.handshake().welcome(connection, hello, shared, shared || connection.sender() != null);
  }

  /** Whether a HELLO waits for our link; with the lock held. */
  boolean isWaiting() {
    return waitingHello != null;
  }

  /** The link whose HELLO waits is gone; with the lock held. */
  void forgetWaiting() {
    waitingHello = null;
  }

  /** Answers the HELLO that waits for our link, if one does: the link is there, or cannot be. */
  void answerWaiting(boolean shared) {
    Hello hello;
    lock.lock();
    try {
      hello = waitingHello;
      waitingHello = null;
    } finally {
      lock.unlock();
    }
    PeerSession session = connection.inbound();
    if (hello != null && session != null) {
      answer(session, hello, shared);
    }
  }
}
