package org.ringwire.engine.inbound;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that all windows granted by a node may add up to: what peers can make it hold (design rule
 * 1). Any thread.
 */
public final class WindowBudget {

  private final long size;
  private final AtomicLong available;

  public WindowBudget(long bytes) {
    size = bytes;
    available = new AtomicLong(bytes);
  }

  public boolean tryReserve(long bytes) {
    long free;
    do {
      free = available.get();
      if (bytes > free) {
        return false;
      }
    } while (!available.compareAndSet(free, free - bytes));
    return true;
  }

  public void release(long bytes) {
    available.addAndGet(bytes);
  }

  /** Bytes that windows may add up to. */
  public long size() {
    return size;
  }

  public long available() {
    return available.get();
  }
}
