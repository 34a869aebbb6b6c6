package org.ringwire.engine.connection;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.transport.Link;

/**
 * Opens links of this node, each on a thread that has the time: to find out where a name leads may
 * take longer than its caller may wait. Any thread.
 *
 * <p>Whatever a transport fails at, and whatever there is no heap for, the session hears of its
 * end: else the attempt would have none, and nobody could ever make another.
 */
final class LinkOpener {

  private final NodeServices services;

  LinkOpener(NodeServices services) {
    this.services = services;
  }

  /**
   * Opens our link, as far as that goes on this thread. One that reads, because a peer has opened
   * its link or in an inline handler, leaves it to another, and so does any if a host name is to be
   * looked up: that may wait for a name server, for longer than the caller may.
   *
   * @param accepted the peer's link, or null
   */
  void open(String address, @Nullable Link accepted, PeerSession session) {
    boolean leaves = false;
    try {
      leaves = accepted != null || SendContext.current().isInline();
      if (leaves) {
        services.lookups().leave(() -> openHere(address, accepted, session));
      } else if (services.transport().mayLookUp(address)) {
        leaves = services.lookups().tryLeave(() -> openHere(address, null, session));
      }
    } catch (RejectedExecutionException e) {
      session.closed(new IOException("too many host names are looked up at a time", e));
    } catch (RuntimeException | Error e) { // of the transport, or there is no heap: it must end
      leaves = true;
      session.closed(e);
    }
    if (!leaves) {
      openHere(address, accepted, session);
    }
  }

  private void openHere(String address, @Nullable Link accepted, PeerSession session) {
    try {
      if (session.ending().isBegun()) { // while it was left to this thread
        session.closed(null);
      } else if (accepted == null) {
        services.transport().connect(address, session);
      } else {
        services.transport().connectBack(address, accepted, session);
      }
    } catch (RuntimeException | Error e) {
      services.errors().report("the transport cannot connect: address=" + address, e);
      session.closed(e);
    }
  }
}
