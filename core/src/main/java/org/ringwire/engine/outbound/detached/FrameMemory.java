package org.ringwire.engine.outbound.detached;

import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.MemoryLimitException;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;

/**
 * Memory for the frames of one link that are kept outside of its ring: what the process may commit
 * bounds it, which is asked before the memory is there; and for responses, which a peer asks for
 * and may not read, how much of them is kept at a time. Any thread.
 */
public final class FrameMemory {

  /** Frames up to this length are never refused for want of memory. */
  public static final long ALWAYS_ALLOWED = 64 << 10;

  private final ReceiveBufferPool buffers;
  private final long mostResponses;

  // Both need no heap, ever.
  private final AtomicLong inFlight = new AtomicLong();
  private final AtomicLong responses = new AtomicLong();

  /**
   * None is taken yet.
   *
   * @param mostResponses bytes of responses that are kept at most, unless a single one is longer
   */
  FrameMemory(ReceiveBufferPool buffers, long mostResponses) {
    this.buffers = buffers;
    this.mostResponses = mostResponses;
  }

  /** As above, for messages before they are sent. */
  public FrameMemory(ReceiveBufferPool buffers) {
    this(buffers, 0);
  }

  /**
   * Before anything is taken for a frame that is long.
   *
   * @throws MemoryLimitException if the process may not commit as much
   */
  public static void check(long occupied) {
    if (occupied > ALWAYS_ALLOWED && !MemoryBudget.hasRoom(occupied)) {
      throw refusal(occupied);
    }
  }

  private static MemoryLimitException refusal(long occupied) {
    return new MemoryLimitException(
        "no memory for a long message: " + MemoryBudget.refusal(occupied));
  }

  /** Where the memory comes from. */
  public ReceiveBufferPool buffers() {
    return buffers;
  }

  /**
   * Memory for a frame whose space at the receiver is reserved, which is what bounds it. Asks the
   * budget anew, as of those that found room at the same time the first may have taken it.
   *
   * @throws MemoryLimitException if others have committed meanwhile what {@link #check} found
   */
  public ReceiveBuffer acquire(long occupied) {
    if (occupied <= ALWAYS_ALLOWED) {
      return acquireInAnyCase(occupied);
    }
    if (!MemoryBudget.tryCommit(occupied)) {
      throw refusal(occupied);
    }
    return acquireCommitted(occupied);
  }

  /** As {@link #acquire}, for what is not refused for want of memory. */
  public ReceiveBuffer acquireInAnyCase(long occupied) {
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

  /**
   * As {@link #acquire}, for a response.
   *
   * @throws MemoryLimitException also if the peer does not read those that it has asked for before
   */
  public ReceiveBuffer acquireResponse(long occupied) {
    long counted = counted(occupied);
    long kept = responses.addAndGet(counted);
    if (kept > mostResponses && kept > counted) {
      responses.addAndGet(-counted);
      throw new MemoryLimitException(
          "the peer does not read its responses: bufferedBytes="
              + (kept - counted)
              + " maxBufferedBytes="
              + mostResponses);
    }
    ReceiveBuffer buffer = null;
    try {
      buffer = acquire(occupied);
      return buffer;
    } finally {
      if (buffer == null) {
        responses.addAndGet(-counted);
      }
    }
  }

  /** One that is longer than all may be together is there alone, and is no reason to end a link. */
  private long counted(long occupied) {
    return Math.min(occupied, mostResponses);
  }

  /** As {@link #acquire}, for what ends a request without a response. */
  public ReceiveBuffer acquireFailure(long occupied) {
    ReceiveBuffer buffer = acquireInAnyCase(occupied);
    responses.addAndGet(counted(occupied));
    return buffer;
  }

  /** Whether the peer goes on to ask, though its requests fail because it does not read. */
  public boolean hasTooManyResponses() {
    return responses.get() > mostResponses + mostResponses / 8;
  }

  /** What was acquired for a response, or in place of one, is used no more. */
  void responseReleased(long occupied) {
    responses.addAndGet(-counted(occupied));
    released(occupied);
  }

  /** What was acquired for anything else is used no more. */
  public void released(long occupied) {
    inFlight.addAndGet(-occupied);
    MemoryBudget.release(occupied);
  }

  /** Bytes that were acquired and not released. */
  long inFlightBytes() {
    return inFlight.get();
  }
}
