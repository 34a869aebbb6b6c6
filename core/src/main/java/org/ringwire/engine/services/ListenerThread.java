package org.ringwire.engine.services;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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

  /**
   * @param thread for the listener alone; closed by its owner
   */
  ListenerThread(NodeListener listener, ErrorLog errors, ExecutorService thread) {
    this.listener = listener;
    this.errors = errors;
    this.thread = thread;
  }

  /** Tells of something; dropped when the node has ended. */
  public void tell(Consumer<NodeListener> event) {
    events.incrementAndGet();
    try {
      thread.execute(() -> {
        events.decrementAndGet();
        call(event);
      });
    } catch (RejectedExecutionException e) {
      events.decrementAndGet();
      errors.report("an event after the end of the node", e);
    }
  }

  private void call(Consumer<NodeListener> event) {
    try {
      event.accept(listener);
    } catch (RuntimeException | Error e) {
      errors.report("node listener", e);
    }
  }

  /** Tells of a refusal, unless too many wait. */
  public void refused(int nodeId, String reason) {
    if (refusals.incrementAndGet() > MOST_REFUSALS) {
      refusals.decrementAndGet();
      errors.warn("a refusal that the listener is not told, as many wait for it: " + reason);
      return;
    }
    tell(told -> {
      refusals.decrementAndGet();
      told.refused(nodeId, reason);
    });
  }

  /** Whether so many events wait that there should be no more. */
  public boolean isBehind() {
    return events.get() > MOST_EVENTS;
  }
}
