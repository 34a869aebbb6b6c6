package org.ringwire.engine.inbound;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.IdleStrategy;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.metrics.ErrorLog;

/**
 * One thread of the handler pool: takes lanes and tasks from its queue and runs them, batch by
 * batch. Spins for a bounded time when it has nothing to do, if the node spins at all, then parks.
 *
 * <p>No wake-up is lost: the worker sets {@code parked} (volatile) and looks at the queue again
 * before it parks; who adds work moves the queue's tail (volatile) and then reads {@code parked}.
 */
public final class HandlerWorker implements Runnable {

  private static final int POLLS_PER_CLOCK = 64;

  private final WorkQueue queue = new WorkQueue();
  private final IdleStrategy idleStrategy;
  private final ErrorLog errors;
  private final Thread thread;
  private volatile boolean parked;
  private volatile boolean closed;

  public HandlerWorker(String name, IdleStrategy idleStrategy, ErrorLog errors) {
    this.idleStrategy = idleStrategy;
    this.errors = errors;
    thread = new Thread(this, name);
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** Any thread. */
  public void submit(Work work) {
    queue.add(work);
    if (parked) {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void run() {
    while (true) {
      Work work = queue.poll();
      if (work != null) {
        runWork(work);
      } else if (closed && queue.isEmpty()) {
        return;
      } else {
        idle();
      }
    }
  }

  private void runWork(Work work) {
    SendContext context = SendContext.current();
    context.beginBatch();
    boolean more = false;
    try {
      more = work.run(this);
    } catch (Throwable e) { // whatever a handler does, the pool goes on
      errors.report("handler thread", e);
    } finally {
      context.endBatch();
    }
    if (more) {
      queue.add(work);
    }
  }

  private void idle() {
    if (idleStrategy.spins() && spin()) {
      return;
    }
    parked = true;
    if (queue.isEmpty() && !closed) {
      LockSupport.park(this);
    }
    parked = false;
  }

  private boolean spin() {
    long endNs = System.nanoTime() + idleStrategy.spinNs();
    while (!closed) {
      for (int poll = 0; poll < POLLS_PER_CLOCK; poll++) {
        if (!queue.isEmpty()) {
          return true;
        }
        Thread.onSpinWait();
      }
      if (System.nanoTime() - endNs >= 0) {
        return false;
      }
    }
    return false;
  }

  /** Ends the thread once its queue is empty; waits for it for a bounded time. */
  public void close(long deadlineNs) throws InterruptedException {
    closed = true;
    LockSupport.unpark(thread);
    long left = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
    thread.join(Math.max(1, left));
  }

  public boolean isAlive() {
    return thread.isAlive();
  }

  public void interrupt() {
    thread.interrupt();
  }
}
