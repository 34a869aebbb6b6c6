package org.ringwire.engine.inbound.workers;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a pool that have handed their place on because they wait. Any thread. */
final class Replacements {

  private final int most;
  private final AtomicInteger count = new AtomicInteger();
  private final Set<HandlerThread> waiting = ConcurrentHashMap.newKeySet();

  /** At most so many at the same time. */
  Replacements(int most) {
    this.most = most;
  }

  /** Whether a thread may hand its place on, which has not done so before. */
  boolean tryTake(HandlerThread thread) {
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      return false;
    }
    boolean taken = false;
    try {
      waiting.add(thread);
      taken = true;
    } finally {
      if (!taken) { // there is no heap for it
        count.decrementAndGet();
      }
    }
    return true;
  }

  /** A thread that had handed its place on does nothing any more. */
  void ended(HandlerThread thread) {
    waiting.remove(thread);
    count.decrementAndGet();
  }

  int count() {
    return count.get();
  }

  /** Waits for those that still wait; interrupts them when time is over. */
  void close(long deadlineNs) throws InterruptedException {
    for (HandlerThread thread : waiting) {
      thread.awaitEnd(deadlineNs);
    }
    for (HandlerThread thread : waiting) {
      thread.interruptByOther();
    }
  }
}
