package org.ringwire.engine;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.NodeClosedException;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.ConnectionState;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.connection.Farewell;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.services.Bounded;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.wire.CloseReason;

/**
 * The end of a node, by the thread that closes it, which has stack for all of it: connections end
 * in good order within the deadline, the others are cut; then no handler is called any more,
 * threads end, and memory goes back. If there is no heap for a step, the caller goes through it
 * again: what has ended stays so.
 */
final class Shutdown {

  /** One part in so many of its time is kept for peers that owe an answer to the end. */
  private static final int PARTS = 4;

  /** As looking goes through all connections and requests. */
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);

  /** At least so much is left for threads to end. */
  private static final long THREADS_NS = TimeUnit.SECONDS.toNanos(2);

  private static final String CLOSED = "this node was closed";

  private final NodeServices services;
  private final Connections connections;
  private int cancelled;
  private boolean interrupted;
  private long deadlineNs;
  private long answersUntilNs;
  private int lastOutstanding;
  private long lastLookNs;
  private List<Connection> draining = List.of();

  Shutdown(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
  }

  /**
   * Until when peers may finish, before the run.
   *
   * @param untilNs as {@link System#nanoTime}; threads get two seconds at least
   */
  void deadline(long untilNs) {
    long now = System.nanoTime();
    deadlineNs = untilNs;
    answersUntilNs = untilNs - (untilNs - now) / PARTS;
    lastLookNs = now - LOOK_NS;
  }

  /** Ends everything; once more if there was no heap for that. */
  void run() {
    connections.beginClose();
    attempt("cannot stop listening", services.transport()::stopListening);
    Bounded.await(this::isAnswered, answersUntilNs);
    Bounded.await(this::isDrained, deadlineNs);
    cancelled += cancelRequests();
    connections.all().forEach(this::cut);
    cancelled += cancelRequests(); // of threads that were just about to send one
    if (System.nanoTime() - deadlineNs >= 0) {
      services.registrations().end();
    }
    endThreads();
  }

  /** Whether the thread was interrupted meanwhile; after the run. */
  boolean wasInterrupted() {
    return interrupted;
  }

  /** Requests of this node that it did not wait for; after the run. */
  int cancelledRequests() {
    return cancelled;
  }

  /**
   * Whether no request of this node waits for its answer. All connections begin to end at once, but
   * for those on which one does: a peer may have to ask back before it can answer.
   */
  private boolean isAnswered() {
    int outstanding = services.requests().outstanding();
    long now = System.nanoTime();
    if (outstanding != lastOutstanding || now - lastLookNs >= LOOK_NS) {
      Set<Object> asked = services.requests().connections();
      for (Connection connection : connections.all()) {
        if (!asked.contains(connection) || connection.state() == ConnectionState.DRAINING) {
          drain(connection);
        }
      }
      lastOutstanding = outstanding; // after it: there may be no heap for the look
      lastLookNs = now;
    }
    return outstanding == 0;
  }

  /**
   * Whether no connection needs more time. One that opens meanwhile begins to end like the others:
   * the peer of an attempt that was under way would otherwise send until it is cut. So attempts end
   * last, and what has opened or spoken before it could be given up is waited for.
   */
  private boolean isDrained() {
    boolean drained = draining.stream().noneMatch(Shutdown::isEnding);
    long now = System.nanoTime();
    if (drained || now - lastLookNs >= LOOK_NS) {
      draining = connections.all();
      draining.forEach(this::drain);
      drained = draining.stream().noneMatch(Shutdown::isEnding);
      lastLookNs = now;
    }
    if (drained) {
      draining.forEach(Shutdown::giveUpUnsaid);
      drained = draining.stream().allMatch(Connection::isEnded);
    }
    return drained;
  }

  /** Until this node's time is over, whatever patience it has otherwise. */
  private void drain(Connection connection) {
    connection.drain(EndReason.NODE_CLOSED, CloseReason.NODE_CLOSING, deadlineNs);
  }

  /** Whether a connection needs more time to end in good order; does what can be done. */
  private static boolean isEnding(Connection connection) {
    return switch (connection.state()) {
      case CONNECTING -> mayBeOpenForPeer(connection.outbound(), connection.inbound());
      case OPEN -> true; // just now: it begins to end at the next look
      case DRAINING -> !connection.orderlyEnd().advance();
      case CLOSED, LOST -> false;
    };
  }

  /**
   * Whether the peer of an attempt may have answered it, and sent what will come as soon as this
   * side is open, too: it has had a HELLO, or a WELCOME. The handshake ends in its own time at the
   * latest. An attempt that has said nothing has nothing to account for.
   */
  private static boolean mayBeOpenForPeer(@Nullable PeerSession out, @Nullable PeerSession in) {
    return (out != null && out.ending().isSpeaking()) || (in != null && in.isReady());
  }

  /** Ends an attempt, unless the peer may take it for open since the last look. */
  private static void giveUpUnsaid(Connection connection) {
    PeerSession out = connection.outbound();
    if (!mayBeOpenForPeer(out, connection.inbound())
        && (out == null || out.ending().tryMute() || !out.ending().isSpeaking())) {
      connection.giveUp(CLOSED);
    }
  }

  private void cut(Connection connection) {
    if (!connection.isEnded()) {
      attempt(
          "cannot tell a peer of the end",
          () -> Farewell.sayInTheEnd(connection, CloseReason.NODE_CLOSING));
    }
    connection.end(EndReason.NODE_CLOSED, CLOSED);
  }

  private int cancelRequests() {
    int id = services.config().nodeId();
    return services
        .requests()
        .endAll(
            null,
            what -> new NodeClosedException("the node was closed: nodeId=" + id + ": " + what));
  }

  private void endThreads() {
    attempt("cannot close the transport", services.transport()::close);
    // Not before: however long that took, what its links leave behind is still to be freed.
    long endNs = Math.max(deadlineNs, System.nanoTime() + THREADS_NS);
    Bounded.await(connections::allSettled, endNs);
    services.lookups().shutdown(); // what is left there finds its link ended
    attempt("threads keep what was sent to the node", SendContext::forgetRecent);
    insist(services.flusher()::close);
    insist(() -> services.handlers().drain(deadlineNs)); // of what peers have left that are lost
    services.registrations().end();
    insist(() -> services.handlers().close(endNs));
    services.timers().shutdownNow();
    // What runs there now may still tell of something, a probe that has ended for instance.
    insist(() -> {
      boolean _ = awaitEnd(services.timers(), endNs);
    });
    insist(() -> finish(services.chores(), endNs)); // first: they have something to tell
    services.requests().endLost(); // last: those who could tell an outcome have ended
    attempt("cannot tell what waits for its turn", connections.events()::close);
    insist(() -> services.listening().close(endNs));
    // After all that must not wait for a name; a name server may not answer in all its time.
    long lookupsNs = Math.min(endNs, System.nanoTime() + THREADS_NS);
    insist(() -> services.lookups().awaitEnd(lookupsNs));
    services.buffers().close();
    services.windows().close();
    services.grants().close();
    SendContext.forgetOwn(); // last: what this thread has written for the end was by its context
  }

  /** What a transport fails at does not keep the rest from its end. */
  private void attempt(String failure, Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      services.errors().report(failure, e);
    }
  }

  /** A step that waits, for a bounded time. */
  @FunctionalInterface
  private interface Step {
    void run() throws InterruptedException;
  }

  /** Does a step, again if an interrupt has ended its wait. */
  private void insist(Step step) {
    while (true) {
      try {
        step.run();
        return;
      } catch (InterruptedException e) {
        interrupted = true; // what is left to end is ended nevertheless
      }
    }
  }

  /** What has not been done by then is done later: each of it frees something. */
  private static void finish(ExecutorService thread, long endNs) throws InterruptedException {
    try {
      thread.execute(() -> {}); // its thread may have ended for want of heap, and chores be left
    } catch (RejectedExecutionException e) {
      // it was shut down before
    }
    thread.shutdown();
    boolean _ = awaitEnd(thread, endNs);
  }

  private static boolean awaitEnd(ExecutorService threads, long endNs) throws InterruptedException {
    return threads.awaitTermination(Math.max(1, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
  }
}
