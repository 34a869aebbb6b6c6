package org.ringwire.engine.inbound.workers;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.ringwire.IdleStrategy;
import org.ringwire.engine.outbound.Flusher;
import org.ringwire.metrics.ErrorLog;

/**
 * The threads that run pooled handlers and what users attach to futures. A lane has a worker of its
 * own, whose memory is warm, and mostly stays with it. If a handler takes long, others take what
 * waits behind it, in turn with their own ({@link HandlerWatch}). If it waits inside of this
 * library another thread takes its place, up to a number of threads that exist in addition; beyond,
 * the others take what waits behind it, and what it waits for ends it, or the deadline of the wait:
 * neither needs a thread of the pool.
 */
public final class HandlerPool implements Executor {

  private static final long INTERRUPTED_NS = 500_000_000;

  private final HandlerWorker[] workers;
  private final AtomicInteger next = new AtomicInteger();

  private final Replacements replacements;
  private final HandlerWatch watch;

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
      ScheduledExecutorService timers,
      Consumer<Thread> threadStarted) {
    replacements = new Replacements(maxWaiting);
    workers = new HandlerWorker[threads];
    watch = new HandlerWatch(timers, workers);
    for (int index = 0; index < threads; index++) {
      String name = "ringwire-" + nodeId + "-handler-" + index;
      workers[index] =
          new HandlerWorker(name, idleStrategy, errors, replacements, watch, threadStarted);
    }
  }

  /**
   * What to do now and then while handlers take long; it does not block. Called once.
   *
   * @param flusher of the pipes that it writes what handlers have put off to
   */
  public void whenOverdue(Flusher flusher, Runnable action) {
    watch.whenOverdue(flusher, action);
  }

  /** Where the lanes of a connection begin: those of different connections, in turn. */
  public int assign() {
    return Math.floorMod(next.getAndIncrement(), workers.length);
  }

  /** The worker of a lane. */
  public HandlerWorker worker(int first, int lane) {
    return workers[(first + lane) % workers.length];
  }

  public int size() {
    return workers.length;
  }

  /** Whether this is a thread of the pool, or one that was replaced. */
  public boolean isCurrent() {
    return Thread.currentThread() instanceof HandlerThread thread && thread.isOfAny(workers);
  }

  /** Threads that run something now; any thread, a hint. */
  public int busy() {
    int busy = 0;
    for (HandlerWorker worker : workers) {
      busy += worker.isInBatch() ? 1 : 0;
    }
    return busy;
  }

  /** Threads that wait, and have others in their place. */
  public int waiting() {
    return replacements.count();
  }

  @Override
  public void execute(Runnable task) {
    int first = assign();
    HandlerWorker worker = workers[first];
    for (int more = 1; worker.isHeldUp() && more < workers.length; more++) {
      worker = worker(first, more);
    }
    worker.submit(new Task(task));
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

    @Override
    boolean isForAnyThread() {
      return true;
    }
  }

  /** Ends the workers once their queues are empty, and waits for that until then. */
  public void drain(long deadlineNs) throws InterruptedException {
    for (HandlerWorker worker : workers) {
      worker.close(deadlineNs);
    }
  }

  /**
   * As {@link #drain}; those that do not end in time are interrupted, and have a moment more to end
   * by that.
   */
  public void close(long deadlineNs) throws InterruptedException {
    drain(deadlineNs);
    for (HandlerWorker worker : workers) {
      worker.interrupt();
    }
    drain(System.nanoTime() + INTERRUPTED_NS);
    replacements.close(deadlineNs);
  }
}
