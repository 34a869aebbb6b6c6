package org.ringwire.engine.inbound.workers;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.ringwire.metrics.ErrorLog;

/**
 * Virtual threads for work that the thread of a {@link HandlerWorker} does not come for, because it
 * waits, or has ended. Any thread.
 */
final class LateThreads {

  private final HandlerWorker worker;
  private final String name;
  private final ErrorLog errors;

  /** As the threads of the pool have, whoever leaves work to one of these. */
  private final @Nullable ClassLoader context = Thread.currentThread().getContextClassLoader();

  /**
   * By who opens the node.
   *
   * @param worker whose work it is
   * @param name its name, after which the threads are called
   */
  LateThreads(HandlerWorker worker, String name, ErrorLog errors) {
    this.worker = worker;
    this.name = name;
    this.errors = errors;
  }

  /** Starts a thread. */
  void start(Runnable task) {
    VirtualThreads.start(name + "-late", context, task);
  }

  /**
   * Starts a thread for some work alone; false if there is no memory or stack to start one: the
   * watch comes again. A start may throw although its thread runs, as where there is no memory for
   * one more carrier; so either side takes the work, once.
   */
  boolean tryRun(Work work) {
    @Nullable AtomicBoolean taken = null;
    try {
      AtomicBoolean once = new AtomicBoolean();
      taken = once;
      start(() -> {
        if (once.compareAndSet(false, true)) {
          boolean _ = run(work);
        }
      });
      return true;
    } catch (OutOfMemoryError | StackOverflowError e) {
      // Whose stack is too short for this has not come as far as to start anything.
      return taken != null && !taken.compareAndSet(false, true);
    }
  }

  /** By such a thread: runs some work; whether there is more of it. */
  boolean run(Work work) {
    try {
      return work.run(worker);
    } catch (Throwable e) { // whatever a handler does, others go on
      errors.report("handler thread", e);
      return false;
    }
  }
}
