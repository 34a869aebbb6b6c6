package org.ringwire.engine.inbound;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ringwire.engine.outbound.Waits;

/**
 * A thread that runs the work of a {@link HandlerWorker}, as long as it is the worker's own. When
 * it is about to wait another one takes its place, and it ends as soon as what it is doing is done.
 */
final class HandlerThread extends Thread implements Waits.Compensated {

  private final HandlerWorker worker;
  private final Consumer<Thread> started;

  HandlerThread(HandlerWorker worker, String name, Consumer<Thread> started) {
    super(null, null, name, 0, false);
    this.worker = worker;
    this.started = started;
    setDaemon(true);
  }

  @Override
  public void run() {
    started.accept(this);
    worker.run(this);
  }

  @Override
  public void aboutToWait() {
    worker.handOn(this);
  }

  /** Whether it works, or has worked, for one of these. */
  boolean isOfAny(HandlerWorker[] workers) {
    return Arrays.asList(workers).contains(worker);
  }

  /**
   * Waits for the end, at most until then. Not by itself: a handler, or what depends on a future,
   * may close the node, and this thread ends when it has returned from that.
   */
  @SuppressWarnings("ReferenceEquality") // a thread is asked for itself
  void awaitEnd(long deadlineNs) throws InterruptedException {
    if (Thread.currentThread() != this) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
      join(Math.max(1, leftMs));
    }
  }

  /** Interrupts it, but not by itself: who closes the node there has more to do. */
  @SuppressWarnings("ReferenceEquality") // as above
  void interruptByOther() {
    if (Thread.currentThread() != this) {
      interrupt();
    }
  }
}
