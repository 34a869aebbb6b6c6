package org.ringwire.infiniband.memory;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.HeapRetry;

/**
 * Tells those that do not wait how their operations have ended, each on a virtual thread: what
 * users do there holds nobody up. If there is no thread to be had, for want of heap for instance,
 * the {@link CompletionThread} tries again; after {@link #LONGEST_NS} in vain, and at its end, it
 * tells them itself. So all are told. Any thread.
 */
final class Endings implements AutoCloseable {

  private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(5);

  private final Consumer<Runnable> threads;
  private final Runnable wake;
  private final long longestNs;

  private final Operations untold = new Operations(); // guarded by this, as the next
  private volatile boolean isAnyUntold; // looked at without
  private boolean inVain; // no thread was to be had
  private long sinceNs; // then
  private boolean closed;

  /**
   * Without any.
   *
   * @param wake is called when there is something for {@link #retry}
   */
  Endings(Runnable wake) {
    this(wake, virtualThreads(), LONGEST_NS);
  }

  /** With the class loader of who opens the memory, and nothing of who happens to tell. */
  private static Consumer<Runnable> virtualThreads() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return task -> {
      Thread thread = Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(task);
      thread.setContextClassLoader(context);
      thread.start();
    };
  }

  /** With threads, and a time, that tests choose. */
  Endings(Runnable wake, Consumer<Runnable> threads, long longestNs) {
    this.wake = wake;
    this.threads = threads;
    this.longestNs = longestNs;
  }

  /** An operation with a future has ended. */
  void tell(Operation operation) {
    if (isStarted(operation)) {
      return;
    }
    if (keep(operation)) {
      wake.run();
    } else {
      operation.tell();
    }
  }

  private boolean isStarted(Operation operation) {
    try {
      threads.accept(() -> run(operation));
      return true;
    } catch (Throwable e) { // whatever it is, somebody waits
      return false;
    }
  }

  private void run(Operation operation) {
    try {
      operation.tell();
    } catch (OutOfMemoryError e) {
      if (operation.isTold()) {
        throw e;
      }
      if (keep(operation)) {
        wake.run();
      } else { // closed, and nobody else would
        HeapRetry.run(this, operation);
      }
    }
  }

  /** False if nobody would try again. */
  private synchronized boolean keep(Operation operation) {
    if (closed) {
      return false;
    }
    if (!inVain) {
      inVain = true;
      sinceNs = System.nanoTime();
    }
    if (!operation.isUntold()) { // a thread that could not be had may run, and be here, too
      untold.add(operation);
      operation.untold(true);
      isAnyUntold = true;
    }
    return true;
  }

  /** Tries again; whether some are left. The completion thread. */
  boolean retry() {
    if (!isAnyUntold) {
      return false;
    }
    for (Operation operation = take(); operation != null; operation = take()) {
      if (isStarted(operation)) {
        succeeded();
      } else if (isOverdue()) {
        run(operation);
      } else if (keep(operation)) { // behind the others, which are no better off
        return true;
      } else {
        HeapRetry.run(this, operation); // closed meanwhile, and nobody else would
      }
    }
    return false;
  }

  private synchronized @Nullable Operation take() {
    Operation taken = untold.poll();
    if (taken != null) {
      taken.untold(false);
    }
    isAnyUntold = !untold.isEmpty();
    return taken;
  }

  private synchronized void succeeded() {
    inVain = false;
  }

  private synchronized boolean isOverdue() {
    return System.nanoTime() - sinceNs >= longestNs;
  }

  /** Nobody tries again from now on: those that are left are told here. May be called again. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    for (Operation operation = take(); operation != null; operation = take()) {
      if (!isStarted(operation)) {
        tellHere(operation);
      }
    }
  }

  /** Where there is no heap for it, the next call of {@link #close} does it. */
  private void tellHere(Operation operation) {
    try {
      operation.tell();
    } finally {
      if (!operation.isTold()) {
        putBack(operation);
      }
    }
  }

  private synchronized void putBack(Operation operation) {
    untold.addFirst(operation);
    operation.untold(true);
    isAnyUntold = true;
  }
}
