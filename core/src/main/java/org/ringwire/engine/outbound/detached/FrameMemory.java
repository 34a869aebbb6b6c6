package org.ringwire.engine.outbound.detached;

import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.MemoryLimitException;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;

/**
 * Memory for the frames of one link that are kept outside of its ring, which is committed before it
 * is there. Any thread.
 */
final class FrameMemory {

  /** Frames up to this length are never refused for want of memory. */
  private static final long ALWAYS_ALLOWED = 64 << 10;

  private final ReceiveBufferPool buffers;
  private final AtomicLong inFlight = new AtomicLong(); // which needs no heap, ever

  FrameMemory(ReceiveBufferPool buffers) {
    this.buffers = buffers;
  }

  /** {@link LargeFrames#checkMemory}. */
  static void check(long occupied) {
    if (occupied > ALWAYS_ALLOWED && !MemoryBudget.hasRoom(occupied)) {
      throw refusal(occupied);
    }
  }

  private static MemoryLimitException refusal(long occupied) {
    return new MemoryLimitException(
        "no memory for a long message: " + MemoryBudget.refusal(occupied));
  }

  ReceiveBufferPool buffers() {
    return buffers;
  }

  /**
   * {@link LargeFrames#acquire}: asks the budget anew, as of those that found room at the same time
   * the first may have taken it.
   */
  ReceiveBuffer acquire(long occupied) {
    if (occupied <= ALWAYS_ALLOWED) {
      return acquireInAnyCase(occupied);
    }
    if (!MemoryBudget.tryCommit(occupied)) {
      throw refusal(occupied);
    }
    return acquireCommitted(occupied);
  }

  ReceiveBuffer acquireInAnyCase(long occupied) {
    MemoryBudget.commit(occupied);
    return acquireCommitted(occupied);
  }

  private ReceiveBuffer acquireCommitted(long occupied) {
    boolean acquired = false;
    try {
      ReceiveBuffer buffer = buffers.acquire(occupied);
      inFlight.addAndGet(occupied);
      acquired = true;
      return buffer;
    } finally {
      if (!acquired) { // there may be no heap, or the node be closed
        MemoryBudget.release(occupied);
      }
    }
  }

  void released(long occupied) {
    inFlight.addAndGet(-occupied);
    MemoryBudget.release(occupied);
  }

  /** Bytes that were acquired and not released. */
  long inFlightBytes() {
    return inFlight.get();
  }
}
