package org.ringwire.infiniband.msgrc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.verbs.SendRequests;

/**
 * The chains of requests that links send with: memory of a device, which lives as long as the
 * device is used, so those of links that have ended are for the next ones. Where there is no heap
 * nothing of it is lost: giving back needs none, and memory for a chain that could not be made is
 * for the next attempt. Any thread; guarded by this.
 */
final class RequestPool {

  private static final long ALIGNMENT = 64;

  private final Arena arena;
  private @Nullable SendRequests[] made = new SendRequests[16];
  private @Nullable SendRequests[] idle = new SendRequests[16]; // as long as the other
  private int madeCount;
  private int idleCount;
  private @Nullable MemorySegment spare;

  /** Without a chain yet. */
  RequestPool(Arena arena) {
    this.arena = arena;
  }

  /**
   * A chain, which the caller gives back.
   *
   * @param maxRequests requests in it, the same for all
   * @param maxRanges ranges of each, the same for all
   */
  synchronized SendRequests take(int maxRequests, int maxRanges) {
    if (idleCount > 0) {
      SendRequests reused = idle[--idleCount];
      idle[idleCount] = null;
      if (reused != null) {
        return reused;
      }
    }
    if (madeCount == made.length) {
      @Nullable SendRequests[] longer = Arrays.copyOf(idle, 2 * madeCount);
      made = Arrays.copyOf(made, 2 * madeCount);
      idle = longer; // both or none
    }
    MemorySegment memory = spare;
    if (memory == null) {
      memory = arena.allocate(SendRequests.bytes(maxRequests, maxRanges), ALIGNMENT);
      spare = memory;
    }
    SendRequests fresh =
        new SendRequests(SegmentAllocator.slicingAllocator(memory), maxRequests, maxRanges);
    spare = null;
    made[madeCount++] = fresh;
    return fresh;
  }

  /** The link has ended, or was never made. */
  synchronized void giveBack(SendRequests requests) {
    idle[idleCount++] = requests;
  }

  /** All that there are; their counters go on whoever has them. */
  synchronized SendRequests[] all() {
    return Arrays.copyOf(made, madeCount, SendRequests[].class);
  }
}
