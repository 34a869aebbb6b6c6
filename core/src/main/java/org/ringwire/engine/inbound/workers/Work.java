package org.ringwire.engine.inbound.workers;

import org.jspecify.annotations.Nullable;

/** Something for a {@link HandlerWorker}; in at most one queue at a time. */
public abstract class Work {

  /** The queue's link. */
  public volatile @Nullable Work next;

  /** Does some of it; true if there is more, which then waits behind the other work. */
  public abstract boolean run(HandlerWorker worker);

  /** Whether any thread may run it, since neither an order nor a worker's memory is behind it. */
  boolean isForAnyThread() {
    return false;
  }

  /**
   * While it runs, by the thread that runs it and is about to wait: submits to the worker what
   * another thread can go on with meanwhile.
   */
  public void handOn(HandlerWorker worker) {}
}
