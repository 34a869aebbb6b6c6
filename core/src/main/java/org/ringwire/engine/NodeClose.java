package org.ringwire.engine;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.CloseReport;
import org.ringwire.NodeClosedException;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.services.Bounded;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.idle.HeapRetry;

/**
 * Whether a node is open, and its close: once, by the first thread that comes, while others wait
 * for its report. What is done then is in {@link Shutdown}. Any thread; for one whose stack is
 * nearly at its end another one does it.
 *
 * <p>Whether it is open is looked at for each message, in one volatile field; the monitor decides
 * who is the first to write it.
 */
final class NodeClose {

  /** For how long beyond its time a node that has no heap to close tries to. */
  private static final long NO_HEAP_PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  /** For how long who has no stack waits for the thread that closes for it to begin. */
  private static final long BEGIN_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Of some 80 bytes each, or more. A close needs a few hundred frames, most of them to load
   * classes.
   */
  private static final int PROBED_FRAMES = 1_000;

  private final NodeServices services;
  private final Connections connections;
  private final Shutdown shutdown;
  private final Runnable end = this::end; // made before, as there may be no heap for it
  private final Runnable elsewhere = this::closeOwed; // likewise, and no stack, as the next ones
  private final BooleanSupplier isBegun = this::isBegun;
  private final CloseReport unknown = CloseReport.UNKNOWN;
  private final CompletableFuture<Void> closing = new CompletableFuture<>();

  /** Of those who want to hear of it, for as long as they do. */
  private final Set<CompletableFuture<Void>> told = ConcurrentHashMap.newKeySet();

  private final CompletableFuture<CloseReport> report = new CompletableFuture<>();
  private final BooleanSupplier isReported = report::isDone;
  private volatile boolean begun; // written with the monitor held
  private volatile @Nullable Thread closer; // while it closes
  private boolean owed; // to who could not close it; guarded by the monitor, as the next
  private long owedUntilNs;

  NodeClose(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
    shutdown = new Shutdown(services, connections);
  }

  /** Whether the node closes, or is closed: it accepts nothing new. */
  boolean isBegun() {
    return begun;
  }

  /**
   * Before anything is begun.
   *
   * @throws NodeClosedException if the node is closed or closing
   */
  void requireOpen() {
    if (begun) {
      String state = report.isDone() ? "closed" : "closing, and sends nothing new";
      int id = services.config().nodeId();
      throw new NodeClosedException("the node is " + state + ": nodeId=" + id, null, false);
    }
  }

  /** Ends as the close begins; nobody but this completes it. */
  CompletableFuture<Void> closing() {
    return closing;
  }

  /**
   * See {@link org.ringwire.Node#whenClosed}. None is a dependent of {@link #closing}, which would
   * keep it until then, whatever became of it.
   */
  @SuppressWarnings("CollectionUndefinedEquality") // a future equals itself, which is asked for
  CompletableFuture<Void> whenClosed() {
    CompletableFuture<Void> future = new CompletableFuture<>();
    told.add(future);
    CompletableFuture<Void> _ = future.whenComplete((nothing, failure) -> told.remove(future));
    if (closing.isDone()) { // after it is there; pairs with end()
      future.complete(null);
    }
    return future;
  }

  /** See {@link org.ringwire.Node#close(Duration)}. */
  CloseReport close(Duration timeout) {
    long deadlineNs = System.nanoTime() + Timeouts.nanos(timeout);
    if (!begun && !hasStack()) {
      closeElsewhere(deadlineNs);
      return reportOfElsewhere(deadlineNs);
    }
    return tryBegin() ? closeHere(deadlineNs) : reportOfOther(deadlineNs);
  }

  /**
   * Whether the stack of this thread has room for all that a close calls. It would end with the
   * stack anywhere otherwise, half done, and with locks that nobody gives back.
   */
  private static boolean hasStack() {
    try {
      return probe(PROBED_FRAMES, 0, 0, 0, 0, 0, 0, 0) == 0;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  /** So much to keep during the call that a frame has some 80 bytes at least, compiled or not. */
  private static long probe(
      int frames, long one, long two, long three, long four, long five, long six, long seven) {
    long below = frames == 0 ? 0 : probe(frames - 1, two, three, four, five, six, seven, one);
    return below + one + two + three + four + five + six + seven; // each was kept in the frame
  }

  /**
   * On a thread that has a stack of its own. Should this one not even do for its start, nothing has
   * begun: so whoever calls again, with more of it, closes the node.
   */
  private synchronized void closeElsewhere(long deadlineNs) {
    services.startThread("close", elsewhere); // begins no sooner than the monitor is free
    if (!owed) {
      owed = true;
      owedUntilNs = deadlineNs;
    }
  }

  private void closeOwed() {
    if (tryBegin()) { // else somebody was faster
      CloseReport _ = closeHere(owedUntilNs);
    }
  }

  /** The node closes, whether or not there is stack to wait for that. */
  private CloseReport reportOfElsewhere(long deadlineNs) {
    try {
      boolean _ = Bounded.await(isBegun, System.nanoTime() + BEGIN_PATIENCE_NS);
      return reportOfOther(deadlineNs + NO_HEAP_PATIENCE_NS); // it takes its time for nobody else
    } catch (StackOverflowError e) {
      return unknown;
    }
  }

  private CloseReport reportOfOther(long deadlineNs) {
    // For a thread of its own who closes may be waiting; and who closes would for itself.
    if (!services.isOwnThread() && !Thread.currentThread().equals(closer)) {
      Bounded.await(isReported, deadlineNs);
    }
    return report.getNow(CloseReport.UNKNOWN);
  }

  private CloseReport closeHere(long deadlineNs) {
    boolean interrupted = Thread.interrupted();
    try {
      closer = Thread.currentThread();
      shutdown.deadline(deadlineNs);
      HeapRetry.runUntil(deadlineNs + NO_HEAP_PATIENCE_NS, shutdown, end);
    } finally {
      if (!report.isDone()) {
        report();
      }
      closer = null;
    }
    if (interrupted || shutdown.wasInterrupted()) {
      Thread.currentThread().interrupt();
    }
    return report.join();
  }

  private synchronized boolean tryBegin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  private void end() {
    closing.complete(null); // before the others are looked at; pairs with whenClosed()
    for (CompletableFuture<Void> each : told) {
      each.complete(null);
    }
    shutdown.run();
    report();
  }

  private void report() {
    report.complete(
        new CloseReport(
            connections.undelivered(),
            shutdown.cancelledRequests(),
            services.counters().waiting(),
            services.counters().unanswered.sum(),
            connections.isAccountComplete()));
  }
}
