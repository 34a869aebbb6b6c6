package org.ringwire.engine.inbound.workers;

import org.jspecify.annotations.Nullable;
import org.ringwire.metrics.ErrorLog;

/**
 * What a {@link HandlerWorker} does besides its own work, when it is asked: some of what waits
 * behind workers that are held up, in turn with its own, which may never end; and to tell of a
 * failure for which there was no memory when it came.
 *
 * <p>Any thread asks; the worker's owner does the rest.
 */
final class WorkerHelp {

  private final WorkQueue own;
  private final HandlerWatch watch;
  private final ErrorLog errors;
  private @Nullable Throwable failure; // not told of yet: then it is asked, too
  private boolean helps; // before it does its own work, every second time
  private volatile boolean asked; // for more than its own work

  /**
   * @param own the queue of the worker's own work
   */
  WorkerHelp(WorkQueue own, HandlerWatch watch, ErrorLog errors) {
    this.own = own;
    this.watch = watch;
    this.errors = errors;
  }

  /** Any thread; who asks wakes the worker if it is parked. */
  void ask() {
    asked = true;
  }

  /** A volatile read. */
  boolean isAsked() {
    return asked;
  }

  /** By the owner: something has failed, and there may be no memory to say so now. */
  void tellOf(Throwable untold) {
    failure = untold;
    asked = true;
  }

  /** By the owner: what others have in turn with the own work; tells of a failure first. */
  @Nullable Work takeOfAll() {
    Throwable untold = failure;
    if (untold != null) {
      failure = null;
      errors.report("handler thread", untold);
    }
    helps = !helps;
    Work first = helps ? takeOfOthers() : null;
    Work work = first == null ? own.poll() : first;
    return work == null ? takeOfOthers() : work;
  }

  private @Nullable Work takeOfOthers() {
    asked = false;
    Work work = watch.take();
    if (work != null) {
      asked = true; // there may be more
    }
    return work;
  }
}
