package org.ringwire.engine.inbound;

import org.ringwire.ring.MemoryBudget;

/**
 * Bytes that all windows granted by a node may add up to: what peers can make it hold (design rule
 * 1), within what the process may commit. Any thread; used when windows begin, grow and end.
 *
 * <p>What is lent for messages whose handlers wait comes out of it as well, and for so many
 * messages only: a handler that waits holds some kilobytes of heap, however short its message is,
 * and would hold back nobody. Of both, a link has no more than it leaves to the others: one whose
 * handlers wait for a node that hangs takes the half, and there is still something for others that
 * need it, and for the windows of those that connect meanwhile.
 */
public final class WindowBudget implements AutoCloseable {

  private final long size;
  private final int mostLent;
  private long available;
  private int lentMessages;
  private boolean closed;

  /**
   * Nothing reserved.
   *
   * @param mostLent messages that something is lent for at the same time
   */
  public WindowBudget(long bytes, int mostLent) {
    size = bytes;
    available = bytes;
    this.mostLent = mostLent;
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

  /**
   * As {@link #tryReserve}, for one message of a link; {@link #repay} follows.
   *
   * @param bytesBefore what the link has been lent, which with this may be no more than it leaves
   * @param messagesBefore for so many messages, and likewise
   */
  synchronized boolean tryLend(long bytes, long bytesBefore, int messagesBefore) {
    boolean lends =
        messagesBefore < mostLent - lentMessages
            && bytesBefore + bytes <= available - bytes
            && MemoryBudget.hasRoom(bytesBefore + 2 * bytes) // the process, as the node
            && tryReserve(bytes);
    lentMessages += lends ? 1 : 0;
    return lends;
  }

  /** What was lent for a message. */
  synchronized void repay(long bytes) {
    lentMessages--;
    release(bytes);
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
