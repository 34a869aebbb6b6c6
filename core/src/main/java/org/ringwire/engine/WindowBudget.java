package org.ringwire.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that all windows granted by a node may add up to: what peers can make it hold (design rule
 * 1). Any thread.
 */
final class WindowBudget {

  private final AtomicLong available;

  WindowBudget(long bytes) {
    available = new AtomicLong(bytes);
  }

  boolean tryReserve(long bytes) {
    long free;
    do {
      free = available.get();
      if (bytes > free) {
        return false;
      }
    } while (!available.compareAndSet(free, free - bytes));
    return true;
  }

  void release(long bytes) {
    available.addAndGet(bytes);
  }

  long available() {
    return available.get();
  }
}
