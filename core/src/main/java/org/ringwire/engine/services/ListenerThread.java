package org.ringwire.engine.services;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeListener;
import org.ringwire.metrics.ErrorLog;

/**
 * Tells the node's listener, one event after the other, on a thread that does nothing else, since
 * the listener may block. Meanwhile no more than so many refusals wait, because anybody can cause
 * them; and a node whose listener is further behind lets no peers in, since each of them is an
 * event, and another when it goes. Any thread may call all methods.
 */
public final class ListenerThread {

  /** Refusals that wait at most; those beyond are counted and logged, but not told. */
  static final int MOST_REFUSALS = 1000;

  /** Events from which on the listener is behind. */
  static final int MOST_EVENTS = 10_000;

  private final NodeListener listener;
  private final ErrorLog errors;
  private final ExecutorService thread;
  private final AtomicInteger events = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile @Nullable Thread telling; // the listener's thread, during an event

  /**
   * @param thread for the listener alone
   */
  ListenerThread(NodeListener listener, ErrorLog errors, ExecutorService thread) {
    this.listener = listener;
    this.errors = errors;
    this.thread = thread;
  }

  /**
   * Tells of something; dropped when the node has ended. The node waits for what may be told, but
   * not for ever: a link ends later if a handler keeps its thread. What is not told by then is not
   * in the report of the closing either, which says that it is not complete.
   */
  public void tell(Consumer<NodeListener> event) {
    events.incrementAndGet();
    boolean queued = false;
    try {
      thread.execute(() -> {
        events.decrementAndGet();
        call(event);
      });
      queued = true;
    } catch (RejectedExecutionException e) {
      errors.debug("an event after the end of the node");
    } finally {
      if (!queued) { // or there is no heap, or no thread
        events.decrementAndGet();
      }
    }
  }

  private void call(Consumer<NodeListener> event) {
    telling = Thread.currentThread();
    try {
      event.accept(listener);
    } catch (Throwable e) { // declared or not
      errors.report("node listener", e);
    } finally {
      telling = null;
    }
  }

  /** Whether the listener calls this, in an event. */
  @SuppressWarnings("ReferenceEquality") // a thread is asked for itself
  boolean isTelling() {
    return telling == Thread.currentThread();
  }

  /**
   * Ends the thread when all was told, or interrupts it when time is over. If the listener itself
   * calls this, it is not waited for: what is left is told when it has returned.
   */
  public void close(long deadlineNs) throws InterruptedException {
    thread.shutdown();
    if (isTelling()) {
      return;
    }
    long leftNs = Math.max(1, deadlineNs - System.nanoTime());
    if (!thread.awaitTermination(leftNs, TimeUnit.NANOSECONDS)) {
      thread.shutdownNow();
    }
  }

  /** Tells of a refusal, unless too many wait. */
  public void refused(int nodeId, String reason) {
    if (refusals.incrementAndGet() > MOST_REFUSALS) {
      refusals.decrementAndGet();
      errors.warn("a refusal that the listener is not told, as many wait for it: " + reason);
      return;
    }
    boolean queued = false;
    try {
      tell(told -> {
        refusals.decrementAndGet();
        told.refused(nodeId, reason);
      });
      queued = true;
    } finally {
      if (!queued) {
        refusals.decrementAndGet();
      }
    }
  }

  /** Whether so many events wait that there should be no more. */
  public boolean isBehind() {
    return events.get() > MOST_EVENTS;
  }
}
