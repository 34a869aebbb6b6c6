package org.ringwire.engine.services;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeListener;
import org.ringwire.idle.HeapRetry;
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

  /** Until a thread is tried again that could not be made. */
  private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final NodeListener listener;
  private final ErrorLog errors;
  private final ExecutorService thread;
  private final SingleTask beginning; // however many events wait for a thread
  private final Runnable telling = this::tellAll; // made once: no heap may be left
  private final Runnable beginTelling = this::beginTelling;
  private final Queue<Consumer<NodeListener>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger events = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile boolean over; // what still waits is not told
  private volatile @Nullable Thread teller; // the listener's thread, during an event

  /**
   * @param thread for the listener alone
   * @param timer for another try to begin
   */
  ListenerThread(
      NodeListener listener, ErrorLog errors, ExecutorService thread, SingleTask.Timer timer) {
    this.listener = listener;
    this.errors = errors;
    this.thread = thread;
    beginning = new SingleTask(timer, this::goOn);
  }

  /**
   * Tells of something; dropped when the node has ended. The node waits for what may be told, but
   * not for ever: a link ends later if a handler keeps its thread. What is not told by then is not
   * in the report of the closing either, which says that it is not complete.
   */
  public void tell(Consumer<NodeListener> event) {
    waiting.add(event);
    events.incrementAndGet();
    if (!begin() && waiting.remove(event)) {
      events.decrementAndGet();
    }
  }

  private void goOn() {
    boolean _ = begin();
  }

  /**
   * Tells what waits. Where there is no thread for it, or no heap, it goes on waiting: nobody tells
   * of the end of a connection twice, and who does is not to fail for want of a listener's thread.
   *
   * @return false if the node has ended
   */
  private boolean begin() {
    try {
      thread.execute(telling);
    } catch (RejectedExecutionException e) {
      errors.debug("an event after the end of the node");
      return false;
    } catch (OutOfMemoryError e) {
      beginLater();
    }
    return true;
  }

  private void beginLater() {
    try {
      beginning.later(AGAIN_NS);
      errors.warn("no thread for the node's listener, which is told later");
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // the next event begins, or the close
    }
  }

  /** On the listener's thread, which may find that it has told all before. */
  private void tellAll() {
    Consumer<NodeListener> event = waiting.poll();
    while (event != null && !over) {
      events.decrementAndGet();
      call(event);
      event = waiting.poll();
    }
  }

  private void call(Consumer<NodeListener> event) {
    teller = Thread.currentThread();
    try {
      event.accept(listener);
    } catch (Throwable e) { // declared or not
      errors.report("node listener", e);
    } finally {
      teller = null;
    }
  }

  /** Whether the listener calls this, in an event. */
  @SuppressWarnings("ReferenceEquality") // a thread is asked for itself
  boolean isTelling() {
    return teller == Thread.currentThread();
  }

  /**
   * Ends the thread when all was told, or interrupts it when time is over. If the listener itself
   * calls this, it is not waited for: what is left is told when it has returned.
   */
  public void close(long deadlineNs) throws InterruptedException {
    if (!waiting.isEmpty() && !thread.isShutdown()) {
      try {
        HeapRetry.runUntil(deadlineNs, this, beginTelling);
      } catch (OutOfMemoryError e) { // what else ends with the node needs no thread
        errors.warn("no thread for the node's listener, which is not told all");
      }
    }
    thread.shutdown();
    if (isTelling()) {
      return;
    }
    long leftNs = Math.max(1, deadlineNs - System.nanoTime());
    if (!thread.awaitTermination(leftNs, TimeUnit.NANOSECONDS)) {
      over = true;
      thread.shutdownNow();
    }
  }

  private void beginTelling() {
    thread.execute(telling);
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Refusal(AtomicInteger refusals, int nodeId, String reason)
      implements Consumer<NodeListener> {

    @Override
    public void accept(NodeListener told) {
      refusals.decrementAndGet();
      told.refused(nodeId, reason);
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
      tell(new Refusal(refusals, nodeId, reason));
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
