package org.ringwire.infiniband.device;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory for what links send and does not lie in their rings: it is copied here, and
 * comes back when the device has completed it. Any thread; guarded by itself, which is once per
 * request that carries such bytes and no message in the ring.
 *
 * <p>Nobody knows when a peer takes what is on the way to it, or whether it ever does. So a link
 * gets another chunk only while more are free than it has: however many peers take nothing any
 * more, some are left for the links to all others.
 */
public final class StagingPool {

  private final MemorySegment memory;
  private final int key;
  private final int chunkLength;
  private final Chunk[] free;
  private int count;
  private final Chunk[] left; // to the device
  private int leftCount;

  /** Memory for one request. */
  public final class Chunk {
    private final long offset;
    private int used;
    private @Nullable Share holder; // guarded by the pool

    private Chunk(long offset) {
      this.offset = offset;
    }

    /** Where the next byte goes, for the device. */
    public long address() {
      return memory.address() + offset + used;
    }

    /** For the device. */
    public int key() {
      return key;
    }

    /** Bytes that still fit. */
    public int room() {
      return chunkLength - used;
    }

    /** Copies bytes, which fit, behind those that are there. */
    public void append(MemorySegment from, long fromOffset, int length) {
      MemorySegment.copy(from, fromOffset, memory, offset + used, length);
      used += length;
    }

    /** Nobody reads it any more. */
    public void release() {
      give(this);
    }

    /** Nobody needs it any more, but the device may read it: until {@link #takeBack}. */
    public void leave() {
      leaveBehind(this);
    }
  }

  /** What one link has of it. */
  public final class Share {
    private int held; // guarded by the pool

    private Share() {}

    /** Bytes of a chunk. */
    public int chunkLength() {
      return chunkLength;
    }

    /** An empty chunk, or null if it may not have another one now. */
    public @Nullable Chunk take() {
      return takeFor(this);
    }

    /** Whether it may not have another chunk now. */
    public boolean isUsedUp() {
      return isUsedUpBy(this);
    }

    /** Whether it may not have another one only because of those that it has. */
    public boolean waitsForOwn() {
      return isLeftToOthersOf(this);
    }
  }

  /**
   * Divides memory.
   *
   * @param memory chunks times their length; registered by the caller, for longer than this
   * @param key for the device
   */
  public StagingPool(MemorySegment memory, int key, int chunkLength) {
    this.memory = memory;
    this.key = key;
    this.chunkLength = chunkLength;
    free = new Chunk[(int) (memory.byteSize() / chunkLength)];
    for (int i = 0; i < free.length; i++) {
      free[i] = new Chunk((long) i * chunkLength);
    }
    count = free.length;
    left = new Chunk[count];
  }

  /** For a link. */
  public Share share() {
    return new Share();
  }

  private synchronized @Nullable Chunk takeFor(Share share) {
    if (share.held >= count) {
      return null;
    }
    Chunk chunk = free[--count];
    chunk.used = 0;
    chunk.holder = share;
    share.held++;
    return chunk;
  }

  private synchronized boolean isUsedUpBy(Share share) {
    return share.held >= count;
  }

  private synchronized boolean isLeftToOthersOf(Share share) {
    return count > 0 && share.held >= count;
  }

  private synchronized void give(Chunk chunk) {
    letGo(chunk);
    free[count++] = chunk;
  }

  private synchronized void leaveBehind(Chunk chunk) {
    letGo(chunk);
    left[leftCount++] = chunk;
  }

  private static void letGo(Chunk chunk) {
    Share holder = chunk.holder;
    if (holder != null) {
      holder.held--;
      chunk.holder = null;
    }
  }

  /** The device reads nothing any more of what was posted by now: what was left to it is free. */
  public synchronized void takeBack() {
    while (leftCount > 0) {
      free[count++] = left[--leftCount];
    }
  }

  /** Whether all chunks are in use. */
  public synchronized boolean isExhausted() {
    return count == 0;
  }
}
