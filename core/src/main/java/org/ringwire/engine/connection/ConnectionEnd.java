package org.ringwire.engine.connection;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.ringwire.ConnectionLostException;
import org.ringwire.EndReason;
import org.ringwire.engine.services.NodeServices;

/**
 * How and why a {@link Connection} has ended, and what follows: everybody is told, and when none of
 * its links is left, its {@link Settlement} begins. The connection decides that it ends; nothing of
 * this comes before.
 *
 * <p>There may be no heap for a step. So each may be done more than once, by several threads, until
 * all are done. The lock is that of the connection.
 */
final class ConnectionEnd {

  private final NodeServices services;
  private final Connections connections;
  private final Connection connection;
  private final Object lock;
  private volatile String cause = "not connected"; // with the lock held, once, as the next
  private volatile EndReason reason = EndReason.LINK_LOST;
  private volatile boolean inClose;
  private volatile @Nullable LinkOpening opening; // with the lock held
  private int openLinks; // with the lock held, as the next one
  private @Nullable Settlement settlement; // one only, however often it is begun
  private boolean settles;
  private volatile boolean told; // whether everybody knows of the end
  private volatile boolean retired; // by CarriedTraffic, with a lock of its own

  /**
   * Not yet.
   *
   * @param lock of the connection
   */
  ConnectionEnd(
      NodeServices services, Connections connections, Connection connection, Object lock) {
    this.services = services;
    this.connections = connections;
    this.connection = connection;
    this.lock = lock;
  }

  /** Before the connection is moved to its last state; with the lock held. */
  void explain(EndReason how, String why) {
    cause = why;
    reason = how;
    inClose = connections.isClosing();
  }

  String cause() {
    return cause;
  }

  /** How it has ended; after its end. */
  EndReason reason() {
    return reason;
  }

  /** Whether its node was closing when it ended; after its end. */
  boolean wasInClose() {
    return inClose;
  }

  /** What requests end with; no lambda, which is lost for ever if it comes first without heap. */
  private record Lost(String why) implements Function<String, RuntimeException> {
    @Override
    public RuntimeException apply(String what) {
      return new ConnectionLostException(why + what);
    }
  }

  // Links, with the lock held.

  /** There is one more. */
  void linkCame() {
    openLinks++;
  }

  /** As above: there will be one of this side. */
  void linkOpens(LinkOpening begun) {
    opening = begun;
    openLinks++;
  }

  /** The connection has let go of one. */
  void linkWent() {
    openLinks--;
  }

  /** One has closed, and that may be told again: whoever tells it had no heap to go on. */
  void linkClosed(PeerSession session) {
    if (session.ending().tryLeave()) {
      openLinks--;
    }
  }

  boolean hasTwoLinks() {
    return openLinks > 1;
  }

  // What follows.

  /**
   * Lets everybody know. Last the connection leaves the table, where it is looked for by who does
   * again what was left.
   *
   * @param first whether the connection has ended just now
   */
  void tell(boolean first) {
    if (told) {
      return;
    }
    connections.ended(connection, first);
    String why = cause;
    PeerSession out = connection.outbound();
    PeerSession in = connection.inbound();
    if (out != null) {
      out.end(why);
    }
    if (in != null) {
      in.end(why);
    }
    LinkOpening begun = opening;
    if (begun != null && out != null && out.ending().isUnsaid()) {
      begun.takeBack();
    }
    String lost = "connection lost: nodeId=" + connection.nodeId() + ": " + why + ": ";
    services.requests().endAll(connection, new Lost(lost));
    if (!connection.hasLink() || (out != null && out.ending().isUnsaid())) { // may never be told
      settle();
    }
    connections.remove(connection);
    told = true;
  }

  /** Begins the settlement, once, when no link is left that was there. */
  void settle() {
    synchronized (lock) {
      PeerSession out = connection.isEnded() ? connection.outbound() : null;
      if (out != null && out.ending().isUnsaid()) {
        linkClosed(out);
      }
      if (openLinks == 0 && !settles) {
        if (settlement == null) {
          settlement = new Settlement(services, connections, connection);
        }
        services.chore(settlement);
        settles = true; // not if there was no heap: then who tells of the end tells it again
      }
    }
  }

  /** What it has counted is added to that of the node, for good. */
  void retired() {
    retired = true;
  }

  /** Whether it adds nothing to the counters of the node any more. */
  boolean isRetired() {
    return retired;
  }
}
