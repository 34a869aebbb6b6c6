package org.ringwire.engine.inbound;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.ringwire.IdleStrategy;
import org.ringwire.metrics.ErrorLog;

/**
 * The threads that run pooled handlers and what users attach to futures. A lane stays with one
 * worker, so that ordered messages of a connection have the same thread, unless a handler waits for
 * long inside of this library: then others take over what waits behind it, up to a number of
 * threads that exist in addition; beyond, the deadline of the wait ends it.
 */
public final class HandlerPool implements Executor {

  private final HandlerWorker[] workers;
  private final AtomicInteger next = new AtomicInteger();

  private final Replacements replacements;

  /**
   * A pool whose threads start with their first work.
   *
   * @param threads that run handlers at the same time
   * @param maxWaiting threads that may exist in addition, because they wait
   * @param threadStarted called first by each thread, with itself
   */
  public HandlerPool(
      int nodeId,
      int threads,
      int maxWaiting,
      IdleStrategy idleStrategy,
      ErrorLog errors,
      Consumer<Thread> threadStarted) {
    replacements = new Replacements(maxWaiting);
    workers = new HandlerWorker[threads];
    for (int index = 0; index < threads; index++) {
      String name = "ringwire-" + nodeId + "-handler-" + index;
      workers[index] = new HandlerWorker(name, idleStrategy, errors, replacements, threadStarted);
    }
  }

  /** The worker of a new lane; lanes are dealt out in turn. */
  public HandlerWorker assign() {
    return workers[Math.floorMod(next.getAndIncrement(), workers.length)];
  }

  public int size() {
    return workers.length;
  }

  /** Whether this is a thread of the pool, or one that was replaced. */
  public boolean isCurrent() {
    return Thread.currentThread() instanceof HandlerThread thread && thread.isOfAny(workers);
  }

  /** Threads that run something now; a hint. */
  public int busy() {
    int busy = 0;
    for (HandlerWorker worker : workers) {
      busy += worker.isBusy() ? 1 : 0;
    }
    return busy;
  }

  /** Threads that wait, and have others in their place. */
  public int waiting() {
    return replacements.count();
  }

  @Override
  public void execute(Runnable task) {
    assign().submit(new Task(task));
  }

  private static final class Task extends Work {
    private final Runnable task;

    Task(Runnable task) {
      this.task = task;
    }

    @Override
    public boolean run(HandlerWorker worker) {
      task.run();
      return false;
    }
  }

  /**
   * Ends the workers once their queues are empty; those that do not end in time are interrupted.
   */
  public void close(long deadlineNs) throws InterruptedException {
    for (HandlerWorker worker : workers) {
      worker.close(deadlineNs);
    }
    for (HandlerWorker worker : workers) {
      worker.interrupt();
    }
    replacements.close(deadlineNs);
  }
}
