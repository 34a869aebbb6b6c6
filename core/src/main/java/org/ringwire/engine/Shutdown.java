package org.ringwire.engine;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
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
  private long endNs; // of threads, as the next one
  private long lookupsNs;
  private List<Connection> draining = List.of();

  /*
   * Made with the node, as all lambdas here: one that finds no heap where it comes first is lost for
   * as long as the process lives, and with it the step that it is.
   */

  private final Runnable stopListening;
  private final Runnable closeTransport;
  private final Runnable forgetSenders = SendContext::forgetRecent;
  private final Runnable tellWhatWaits;
  private final BooleanSupplier isAnswered = this::isAnswered;
  private final BooleanSupplier isDrained = this::isDrained;
  private final BooleanSupplier isSettled;
  private final BooleanSupplier isHandled = this::isHandled;
  private final Function<String, RuntimeException> closed = this::closed;
  private final Step endFlusher;
  private final Step drainHandlers = this::drainHandlers;
  private final Step endHandlers = this::endHandlers;
  private final Step awaitTimer = this::awaitTimer;
  private final Step finishChores = this::finishChores;
  private final Step endListening = this::endListening;
  private final Step awaitLookups = this::awaitLookups;

  @SuppressWarnings("UnnecessaryLambda")
  private final Runnable nothing = () -> {};

  Shutdown(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
    stopListening = services.transport()::stopListening;
    closeTransport = services.transport()::close;
    tellWhatWaits = connections.events()::close;
    isSettled = connections::allSettled;
    endFlusher = services.flusher()::close;
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
    attempt("cannot stop listening", stopListening);
    Bounded.await(isAnswered, answersUntilNs);
    Bounded.await(isDrained, deadlineNs);
    cancelled += cancelRequests();
    for (Connection each : connections.all()) {
      cut(each);
    }
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
    boolean drained = !isAnyEnding();
    long now = System.nanoTime();
    if (drained || now - lastLookNs >= LOOK_NS) {
      draining = connections.all();
      for (Connection each : draining) {
        drain(each);
      }
      drained = !isAnyEnding();
      lastLookNs = now;
    }
    if (drained) {
      for (Connection each : draining) {
        giveUpUnsaid(each);
        drained &= each.isEnded();
      }
    }
    return drained;
  }

  /** Looks at them up to the first that does, as each look at one may take it further. */
  private boolean isAnyEnding() {
    for (Connection each : draining) {
      if (isEnding(each)) {
        return true;
      }
    }
    return false;
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
      sayFarewell(connection);
    }
    connection.end(EndReason.NODE_CLOSED, CLOSED);
  }

  private void sayFarewell(Connection connection) {
    try {
      Farewell.sayInTheEnd(connection, CloseReason.NODE_CLOSING);
    } catch (Throwable e) { // of the transport
      services.errors().report("cannot tell a peer of the end", e);
    }
  }

  private int cancelRequests() {
    return services.requests().endAll(null, closed);
  }

  private NodeClosedException closed(String what) {
    int id = services.config().nodeId();
    return new NodeClosedException("the node was closed: nodeId=" + id + ": " + what);
  }

  private void endThreads() {
    attempt("cannot close the transport", closeTransport);
    // Not before: however long that took, what its links leave behind is still to be freed.
    endNs = Math.max(deadlineNs, System.nanoTime() + THREADS_NS);
    Bounded.await(isSettled, endNs);
    services.lookups().shutdown(); // what is left there finds its link ended
    attempt("threads keep what was sent to the node", forgetSenders);
    insist(endFlusher);
    Bounded.await(isHandled, deadlineNs); // first: blocking handlers need the pool for the next one
    insist(drainHandlers);
    services.registrations().end();
    insist(endHandlers);
    services.timers().shutdownNow();
    insist(awaitTimer);
    insist(finishChores); // before who listens: they have something to tell
    services.requests().endLost(); // last: those who could tell an outcome have ended
    attempt("cannot tell what waits for its turn", tellWhatWaits);
    insist(endListening);
    // After all that must not wait for a name; a name server may not answer in all its time.
    lookupsNs = Math.min(endNs, System.nanoTime() + THREADS_NS);
    insist(awaitLookups);
    services.buffers().close();
    services.windows().close();
    services.grants().close();
    SendContext.forgetOwn(); // last: what this thread has written for the end was by its context
  }

  /** Whether nothing is left of peers that are gone; nothing arrives any more. */
  private boolean isHandled() {
    return services.counters().waiting() == 0;
  }

  /** Ends the pool, when it has done what was left to it. */
  private void drainHandlers() throws InterruptedException {
    services.handlers().drain(deadlineNs);
  }

  private void endHandlers() throws InterruptedException {
    services.handlers().close(endNs);
  }

  /** What runs there now may still tell of something, a probe that has ended for instance. */
  private void awaitTimer() throws InterruptedException {
    boolean _ = awaitEnd(services.timers(), endNs);
  }

  private void endListening() throws InterruptedException {
    services.listening().close(endNs);
  }

  private void awaitLookups() throws InterruptedException {
    services.lookups().awaitEnd(lookupsNs);
  }

  /** What a transport fails at does not keep the rest from its end, unless it can be repeated. */
  private void attempt(String failure, Runnable step) {
    try {
      step.run();
    } catch (OutOfMemoryError e) {
      throw e;
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
  private void finishChores() throws InterruptedException {
    ExecutorService chores = services.chores();
    try {
      chores.execute(nothing); // its thread may have ended for want of heap, and chores be left
    } catch (RejectedExecutionException e) {
      // it was shut down before
    }
    chores.shutdown();
    boolean _ = awaitEnd(chores, endNs);
  }

  private static boolean awaitEnd(ExecutorService threads, long endNs) throws InterruptedException {
    return threads.awaitTermination(Math.max(1, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
  }
}
