package org.ringwire.engine.inbound.workers;

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
    VirtualThreads.prepare();
  }

  /** Starts a thread. */
  void start(Runnable task) {
    VirtualThreads.start(name + "-late", context, task);
  }

  /**
   * Starts a thread for some work alone; false if there is no memory or stack to start one: the
   * watch comes again.
   */
  boolean tryRun(Work work) {
    try {
      start(new Late(this, work));
      return true;
    } catch (OutOfMemoryError | StackOverflowError e) {
      return false;
    }
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Late(LateThreads threads, Work work) implements Runnable {
    @Override
    public void run() {
      boolean _ = threads.run(work);
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
