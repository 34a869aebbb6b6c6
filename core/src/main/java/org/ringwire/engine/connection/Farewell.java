package org.ringwire.engine.connection;

import org.jspecify.annotations.Nullable;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;

/**
 * What a side says before it ends a link, so that the peer can tell why it has ended. A connection
 * of two links says it on both: they end one soon after the other, and the peer reads them in
 * either order, or at the same time by two threads. Any thread.
 */
public final class Farewell {

  private static final long FLUSH_WAIT_NS = 200_000_000;

  private final NodeServices services;
  private final PeerSession session;

  Farewell(NodeServices services, PeerSession session) {
    this.services = services;
    this.session = session;
  }

  /** Says why the connection ends; whoever says so ends it. */
  public void say(CloseReason reason, String text) {
    byte[] close = ControlFrames.close(reason, text);
    session.control().send(close);
    PeerSession other = other();
    if (other != null && other.isReady()) {
      boolean _ = other.control().trySend(close); // full: it was said on the first
    }
  }

  /**
   * Says on both links that a connection ends before both sides have finished. In good order this
   * is said where data goes alone, so that it comes behind the data; now there is no time for that.
   */
  public static void sayInTheEnd(Connection connection, CloseReason reason) {
    PeerSession data = connection.dataSession();
    if (data != null && data.isReady()) {
      Farewell farewell = data.farewell();
      farewell.say(reason, "node " + farewell.services.config().nodeId());
    }
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record End(PeerSession session, String cause) implements Runnable {
    @Override
    public void run() {
      session.end(cause);
    }
  }

  /** Ends the link once the peer was told why, or soon anyway. */
  void endAfterFlush(String cause) {
    PeerSession other = other();
    if (session.pipe().isDrained() && (other == null || other.pipe().isDrained())) {
      session.end(cause);
    } else {
      services.later(new End(session, cause), FLUSH_WAIT_NS);
    }
  }

  /** The other link of the connection; null if there is none, or this is no part of it any more. */
  @Nullable PeerSession other() {
    Connection connection = session.connection();
    PeerSession out = connection == null ? null : connection.outbound();
    PeerSession in = connection == null ? null : connection.inbound();
    PeerSession other = session == in ? out : session == out ? in : null;
    return other == session ? null : other;
  }
}
