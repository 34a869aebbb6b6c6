package org.ringwire.engine.inbound;

import org.ringwire.ring.MemoryBudget;

/**
 * Bytes that all windows granted by a node may add up to: what peers can make it hold (design rule
 * 1), within what the process may commit. Any thread; used when windows begin, grow and end.
 */
public final class WindowBudget implements AutoCloseable {

  private final long size;
  private long available;
  private boolean closed;

  public WindowBudget(long bytes) {
    size = bytes;
    available = bytes;
  }

  public synchronized boolean tryReserve(long bytes) {
    if (closed || bytes > available || !MemoryBudget.tryCommit(bytes)) {
      return false;
    }
    available -= bytes;
    return true;
  }

  public synchronized void release(long bytes) {
    available += bytes;
    if (!closed) {
      MemoryBudget.release(bytes);
    }
  }

  /** The node has ended, and with it what was received and never handled. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      MemoryBudget.release(size - available);
    }
  }

  /** Why a window was refused, for people. */
  public String refusal(long bytes) {
    return MemoryBudget.hasRoom(bytes)
        ? "no memory for another window: asked=" + bytes + " windowBudget=" + size
        : MemoryBudget.refusal(bytes);
  }

  /** Bytes that windows may add up to. */
  public long size() {
    return size;
  }

  public synchronized long available() {
    return available;
  }
}
