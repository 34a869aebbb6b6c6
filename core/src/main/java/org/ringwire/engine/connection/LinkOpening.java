package org.ringwire.engine.connection;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.idle.HeapRetry;
import org.ringwire.transport.Link;

/**
 * Opens one link of this node, on a thread that has the time: to find out where a name leads may
 * take longer than its caller may wait. By who has made the link's session, once.
 *
 * <p>Whatever a transport fails at, and whatever there is no heap for, the session hears of its
 * end: else the attempt would have none, and nobody could ever make another. So all that this takes
 * is made together with the session, before anybody relies on either.
 */
final class LinkOpening {

  private final NodeServices services;
  private final PeerSession session;
  private final @Nullable String address;
  private final @Nullable Link accepted;
  private final Runnable here = this::openHere;
  private final Runnable end = this::tellEnd;
  private @Nullable Throwable failure; // of the one thread that has come so far

  /**
   * Not begun.
   *
   * @param address where it leads, or null if the directory does not know
   * @param accepted the peer's link, or null
   */
  LinkOpening(
      NodeServices services,
      PeerSession session,
      @Nullable String address,
      @Nullable Link accepted) {
    this.services = services;
    this.session = session;
    this.address = address;
    this.accepted = accepted;
  }

  /**
   * Opens our link, as far as that goes on this thread. One that reads, because a peer has opened
   * its link or in an inline handler, leaves it to another, and so does any if a host name is to be
   * looked up: that may wait for a name server, for longer than the caller may.
   *
   * @throws OutOfMemoryError if for seconds there was no heap even to tell the session of its end
   */
  void begin() {
    boolean leaves = false;
    try {
      if (address == null) {
        session.end("the directory does not know the node");
        fail(null);
        return;
      }
      services.counters().connectAttempts.increment();
      leaves = tryLeave(address);
    } catch (RuntimeException | Error e) { // of the transport, or there is no heap: it must end
      fail(e);
      return;
    }
    if (!leaves) {
      openHere();
    }
  }

  /** Whether another thread opens it. */
  private boolean tryLeave(String where) {
    if (accepted != null || SendContext.current().isInline()) {
      try {
        services.lookups().leave(here);
      } catch (RejectedExecutionException e) {
        throw new IllegalStateException("too many host names are looked up at a time", e);
      }
      return true;
    }
    return services.transport().mayLookUp(where) && services.lookups().tryLeave(here);
  }

  /**
   * Its session has ended before there was a link: where it still waits for a thread, as a name
   * server keeps them all, it would wait for nobody. Any thread.
   */
  void takeBack() {
    if (services.lookups().takeBack(here)) {
      openHere();
    }
  }

  private void openHere() {
    try {
      open();
    } catch (RuntimeException | Error e) {
      fail(e);
      services.errors().report("the transport cannot connect: address=", address, e);
    }
  }

  private void open() {
    if (session.ending().isBegun() || address == null) { // while it was left to this thread
      fail(null);
    } else if (accepted == null) {
      services.transport().connect(address, session);
    } else {
      services.transport().connectBack(address, accepted, session);
    }
  }

  private void fail(@Nullable Throwable cause) {
    failure = cause;
    HeapRetry.run(this, end);
  }

  private void tellEnd() {
    session.closed(failure);
  }
}
