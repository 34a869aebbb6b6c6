package org.ringwire.engine.services;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few threads that open links whose addresses may be looked up, which may wait for a name server:
 * so those that read need not, nor those that call and have no time. Threads that read have some of
 * their own, which however many names callers have asked for cannot keep from them. Any thread.
 */
public final class Lookups {

  private final ExecutorService ofReaders;
  private final ThreadPoolExecutor ofCallers;

  /**
   * With threads for each. Those of readers take only so much at a time, as strangers may cause it;
   * what callers want is at most one link to each node, and one for each thread that asks who is at
   * an address.
   */
  Lookups(ExecutorService ofReaders, ThreadPoolExecutor ofCallers) {
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
   * Leaves it to another thread, by any that calls: none of them waits for a name server longer
   * than it says, and some never do.
   *
   * @return false if these threads take no more: then the caller does it
   */
  public boolean tryLeave(Runnable opening) {
    try {
      ofCallers.execute(opening);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Whether it was left by a caller, no thread has come to it, and none does any more. */
  public boolean takeBack(Runnable opening) {
    return ofCallers.remove(opening);
  }

  /** How much of what callers have left waits for a thread; for tests. */
  public int waiting() {
    return ofCallers.getQueue().size();
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
