package org.ringwire.engine.connection;

import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.wire.CloseReason;

/**
 * Whether a {@link Connection} ends in good order: what this side has begun, of which {@link
 * Draining} does the steps, and what the peer has said of its own end, which this side joins.
 *
 * <p>The lock is that of the connection, which is moved to the state DRAINING here and by nobody
 * else. A peer may say that it closes before the connection is open: that is written, and then the
 * state is looked at, while who opens the connection moves the state and then looks at what the
 * peer has said, all volatile: one of them sees the other.
 */
public final class OrderlyEnd {

  private final Connections connections;
  private final Connection connection;
  private final OpenWay way;
  private final Object lock;
  private volatile @Nullable Draining draining; // with the lock held
  private volatile @Nullable CloseReason peerCloses; // by the thread that reads

  /**
   * Not begun.
   *
   * @param way of the connection, as the next
   */
  OrderlyEnd(Connections connections, Connection connection, OpenWay way, Object lock) {
    this.connections = connections;
    this.connection = connection;
    this.way = way;
    this.lock = lock;
  }

  /** See {@link Connection#drain}. */
  void begin(EndReason reason, CloseReason told, long untilNs) {
    Draining drain =
        new Draining(connections, connection, reason, told, untilNs); // perhaps no heap
    synchronized (lock) {
      if (!connection.move(ConnectionState.DRAINING)) {
        if (draining != null && reason == EndReason.NODE_CLOSED) {
          draining.nodeCloses(untilNs);
        }
        return;
      }
      draining = drain;
      way.close();
    }
    PeerSession data = connection.dataSession();
    if (data != null) {
      data.data().endMessages();
    }
    connections.dismissals().watch(connection); // first: for the others there may be no heap
    if (reason == EndReason.DISMISSED) {
      connections.dismissals().dismissed();
    }
  }

  /** Reading thread: the peer sends no more messages and requests, and wants none. */
  void peerCloses(CloseReason reason) {
    if (!connection.handshake().peerDrains()
        || (reason != CloseReason.NODE_CLOSING && reason != CloseReason.DISMISSED)) {
      return;
    }
    peerCloses = peerCloses == CloseReason.NODE_CLOSING ? peerCloses : reason; // see opened()
    boolean dismissed = reason == CloseReason.DISMISSED;
    begin(dismissed ? EndReason.DISMISSED : EndReason.PEER_CLOSED, reason, System.nanoTime());
    way.wake(); // it may drain already, for another reason
    connections.dismissals().watch(connection);
  }

  /** The connection has been moved to the state OPEN: the peer may have closed before. */
  void opened() {
    CloseReason closes = peerCloses; // after the move; pairs with peerCloses()
    if (closes != null) {
      peerCloses(closes);
    }
  }

  /** With the lock held: the life of the peer is gone that has said it; its next one may come. */
  void forgetPeer() {
    peerCloses = null;
  }

  /** Whether the peer closes, and may wait for what the current thread does. */
  public boolean isAwaitedByPeer() {
    return peerCloses == CloseReason.NODE_CLOSING && Waits.isAwaited();
  }

  /** Why the peer accepts nothing new, or null; any thread. */
  public @Nullable CloseReason whyPeerCloses() {
    return peerCloses;
  }

  /** Reading thread: the peer needs the connection no more. */
  void peerFinished() {
    Draining drain = draining;
    if (drain != null) {
      drain.peerFinished();
      connections.dismissals().watch(connection);
    }
  }

  /** Gets on with it; true if the connection has ended. */
  public boolean advance() {
    Draining drain = draining;
    return connection.isEnded() || (drain != null && drain.advance());
  }

  /** Whether this side needs the connection no more, so that its end is no loss. */
  boolean isFinished() {
    Draining drain = draining;
    return drain != null && drain.isFinished();
  }

  /** How the connection ends with a link: as was begun, if nothing is lost with it any more. */
  EndReason reasonOr(EndReason ofLink) {
    Draining drain = draining;
    return drain != null && drain.isFinished() ? drain.reason() : ofLink;
  }
}
