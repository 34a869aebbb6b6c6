package org.ringwire.engine.services;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A few threads that open links whose addresses may be looked up, which may wait for a name server:
 * so those that read need not, nor those that call and have no time. Threads that read have some of
 * their own, which however many names callers have asked for cannot keep from them. Any thread.
 */
public final class Lookups {

  private final ExecutorService ofReaders;
  private final ExecutorService ofCallers;

  /** With threads for each; both take only so much at a time. */
  Lookups(ExecutorService ofReaders, ExecutorService ofCallers) {
    this.ofReaders = ofReaders;
    this.ofCallers = ofCallers;
  }

  /**
   * Leaves it to another thread, by one that reads.
   *
   * @throws RejectedExecutionException if too many names are looked up at a time
   */
  public void leave(Runnable opening) {
    ofReaders.execute(opening);
  }

  /**
   * Leaves it to another thread, by one that may wait.
   *
   * @return false if too many names are looked up at a time: then the caller does it, which makes
   *     it wait as the others
   */
  public boolean tryLeave(Runnable opening) {
    try {
      ofCallers.execute(opening);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Takes no more; what is left is still done. */
  public void shutdown() {
    ofReaders.shutdown();
    ofCallers.shutdown();
  }

  /** Waits, at most until then, until all is done. */
  public void awaitEnd(long endNs) throws InterruptedException {
    for (ExecutorService threads : new ExecutorService[] {ofReaders, ofCallers}) {
      long leftNs = Math.max(1, endNs - System.nanoTime());
      boolean _ = threads.awaitTermination(leftNs, TimeUnit.NANOSECONDS);
    }
  }
}
