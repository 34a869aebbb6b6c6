package org.ringwire.engine.request;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The threads that wait for answers over one connection. When few wait, each writes its request at
 * once, and one of them reads the link for all, which saves a wake-up. In a crowd both cost more
 * than they save: who reads soon has its own answer and hands on, and each write wakes the peer for
 * a single request. So then the transport reads, and requests stay in the ring for the flusher,
 * which takes those of many threads at once.
 *
 * <p>Any thread. The count is a hint: with a wrong one a request is written early, or within a tick
 * of the flusher.
 */
public final class Crowd {

  /** So many threads are no crowd: measured, see docs/performance.md. */
  static final int FEW = 5;

  private final AtomicInteger waiting = new AtomicInteger();
  private final YieldingWait wait = new YieldingWait();

  /** The calling thread asks, and is going to wait. */
  public void enter() {
    waiting.incrementAndGet();
  }

  /** It has its answer, or none. */
  public void leave() {
    waiting.decrementAndGet();
  }

  /** Whether so many wait that they do better together. */
  public boolean isCrowded() {
    return waiting.get() > FEW;
  }

  /** Whether a thread of the crowd that is going to wait yields to the others. */
  public boolean mayYield() {
    return wait.mayYield();
  }

  /**
   * Waits by yielding.
   *
   * @param afterFirst run after the first yield: writes what has come together
   * @return whether it is there; else the caller parks
   */
  public boolean awaitYielding(BooleanSupplier done, Runnable afterFirst) {
    return wait.await(done, waiting.get(), afterFirst);
  }
}
