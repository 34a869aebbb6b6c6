package org.ringwire.infiniband.msgrc;

import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.device.StagingPool;

/**
 * The send requests of a link that are not completed: what each of them carries, in the order of
 * posting. Numbers of requests only grow.
 *
 * <p><b>Threads.</b> The writer, one thread at a time, {@link #add}s requests, posts them, reports
 * their bytes as sent, and then {@link #offer}s them. Whoever polls the completion queue, one
 * thread at a time, {@link #acknowledge}s. Both then complete, in {@link #take}, which the caller
 * guards by a lock of the link. The device may complete a request before the writer has offered it:
 * only what is both acknowledged and offered is taken, so the source hears of bytes as completed
 * after it has heard of them as sent; and of the two who made a request takeable, the later one
 * sees both, since both write before they read (volatile). A slot is written before its number is
 * offered and read after that; it is written again only after {@code taken}, which the writer
 * reads, has passed it.
 *
 * <p><b>Acknowledged</b> are all requests up to the one that has a completion: those of a queue
 * pair complete in order, and the ones that are not signalled have none of their own unless they
 * fail.
 */
final class SendSlots {

  private final int depth;
  private final int mask;
  private final int[] lengths;
  private final StagingPool.@Nullable Chunk[] chunks;
  private long added; // the writer only
  private volatile long offered;
  private volatile long acknowledged;
  private volatile long taken;

  /** For a queue pair with room for so many requests. */
  SendSlots(int depth) {
    this.depth = depth;
    int capacity = Integer.highestOneBit(Math.max(1, 2 * depth - 1));
    mask = capacity - 1;
    lengths = new int[capacity];
    chunks = new StagingPool.Chunk[capacity];
  }

  // The writer.

  /** Number of requests that may be added. */
  int free() {
    return depth - (int) (added - taken);
  }

  /**
   * The next request.
   *
   * @param length bytes that are completed with it
   * @param chunk released with it
   * @return its number
   */
  long add(int length, StagingPool.@Nullable Chunk chunk) {
    int slot = (int) added & mask;
    lengths[slot] = length;
    chunks[slot] = chunk;
    return added++;
  }

  /** Number of the request that is added next. */
  long next() {
    return added;
  }

  /** Takes back what was added and not posted. */
  void retract(long from) {
    while (added > from) {
      added--;
      release((int) added & mask);
    }
  }

  /** Sum of the bytes of requests that were added and not offered. */
  long addedBytes() {
    long bytes = 0;
    for (long number = offered; number < added; number++) {
      bytes += lengths[(int) number & mask];
    }
    return bytes;
  }

  /** The bytes of what was added and not offered were copied, and are completed by the writer. */
  void forgetBytes() {
    for (long number = offered; number < added; number++) {
      lengths[(int) number & mask] = 0;
    }
  }

  /** What was added was posted, and its bytes were reported as sent. */
  void offer() {
    offered = added; // volatile; pairs with the read in take()
  }

  // Who polls.

  /**
   * A request has a completion.
   *
   * @param lowBits of its number
   */
  void acknowledge(int lowBits) {
    long known = acknowledged;
    int ahead = lowBits - (int) known;
    if (ahead >= 0) {
      acknowledged = known + ahead + 1; // volatile; pairs with the read in take()
    }
  }

  // Both, guarded by the caller.

  /** Whether {@link #take} would take something. */
  boolean isTakeable() {
    return Math.min(acknowledged, offered) > taken;
  }

  /** Takes what is completed; returns its bytes. */
  long take() {
    long end = Math.min(acknowledged, offered);
    long bytes = 0;
    for (long number = taken; number < end; number++) {
      int slot = (int) number & mask;
      bytes += lengths[slot];
      release(slot);
    }
    taken = end; // volatile; pairs with the read in free()
    return bytes;
  }

  private void release(int slot) {
    StagingPool.Chunk chunk = chunks[slot];
    chunks[slot] = null;
    if (chunk != null) {
      chunk.release();
    }
  }

  /**
   * The queue pair is gone, and nothing is written any more: all that is left is acknowledged.
   *
   * @return requests that were added and never offered, because a write has failed half way; what
   *     they have of budgets is to be given back
   */
  int acknowledgeAll() {
    int never = unoffered();
    retract(offered);
    acknowledged = offered;
    return never;
  }

  /** Requests that were added and not offered; the writer, or nobody writes any more. */
  int unoffered() {
    return (int) (added - offered);
  }

  // Any thread.

  /** Requests that were taken. */
  long taken() {
    return taken;
  }

  /** Requests that were offered and not taken. */
  int outstanding() {
    long before = taken; // first: it never passes what is offered
    return (int) (offered - before);
  }
}
