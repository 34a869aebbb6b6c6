package org.ringwire.engine.inbound;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.IdleStrategy;
import org.ringwire.metrics.ErrorLog;

/**
 * The threads that run pooled handlers and what users attach to futures. A lane stays with one
 * worker, so that ordered messages of a connection always have the same thread.
 */
public final class HandlerPool implements Executor {

  private final HandlerWorker[] workers;
  private final AtomicInteger next = new AtomicInteger();

  public HandlerPool(int nodeId, int threads, IdleStrategy idleStrategy, ErrorLog errors) {
    workers = new HandlerWorker[threads];
    for (int index = 0; index < threads; index++) {
      String name = "ringwire-" + nodeId + "-handler-" + index;
      workers[index] = new HandlerWorker(name, idleStrategy, errors);
    }
  }

  public void start() {
    for (HandlerWorker worker : workers) {
      worker.start();
    }
  }

  /** The worker of a new lane; lanes are dealt out in turn. */
  public HandlerWorker assign() {
    return workers[Math.floorMod(next.getAndIncrement(), workers.length)];
  }

  public int size() {
    return workers.length;
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
      if (worker.isAlive()) {
        worker.interrupt();
      }
    }
  }
}
