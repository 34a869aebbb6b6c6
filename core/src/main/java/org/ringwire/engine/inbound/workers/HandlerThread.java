package org.ringwire.engine.inbound.workers;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.outbound.Flusher;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.engine.outbound.Waits.Holder;

/**
 * A thread that runs the work of a {@link HandlerWorker}, as long as it is the worker's own. When
 * it is about to wait another one takes its place, and it ends as soon as what it is doing is done.
 */
final class HandlerThread extends Thread implements Waits.Compensated, SendContext.Watched {

  private final HandlerWorker worker;
  private final Consumer<Thread> started;

  /** What it is doing, as long as that is not handed on. Its own. */
  @Nullable Work running;

  /** What handles messages in this batch; its own. */
  Waits.@Nullable Busy handling;

  private volatile int batch; // odd while in one; its own

  /** Whether it has handed its place on, or is about to; {@link Replacements}. */
  volatile boolean waitsApart;

  /** The list's, with its lock held. */
  @Nullable HandlerThread nextApart;

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

  /** By itself: a batch begins. */
  void begin(Work work) {
    running = work;
    int last = batch;
    batch = last + 1;
  }

  /** By itself: it has ended. */
  void end() {
    running = null;
    handling = null;
    int last = batch;
    batch = last + 1;
  }

  /** Changes when a batch begins or ends; any thread. */
  int batch() {
    return batch;
  }

  /** Whether such a number is that of a batch which goes on. */
  static boolean isInBatch(int number) {
    return (number & 1) != 0;
  }

  /** Whether it waits for something, at this moment; any thread. */
  boolean isWaiting() {
    return switch (getState()) {
      case BLOCKED, WAITING, TIMED_WAITING -> isInBatch(batch);
      case NEW, RUNNABLE, TERMINATED -> false;
    };
  }

  @Override
  public void mayWait() {
    worker.waits(this);
  }

  @Override
  public void aboutToWait() {
    worker.handOn(this);
    Waits.Busy current = handling;
    if (current != null) { // whether others go on or not
      current.aboutToWait();
    }
  }

  @Override
  public void hasWaited() {
    worker.hasWaited(this);
  }

  @Override
  public boolean tryLetGo(Object connection) {
    Waits.Busy current = handling;
    return current == null || current.tryLetGo(connection);
  }

  @Override
  public @Nullable Holder forOthers() {
    Waits.Busy current = handling;
    return current == null ? null : current.forOthers();
  }

  @Override
  public boolean isWatched(Flusher flusher) {
    return worker.isWatched(this, flusher);
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
