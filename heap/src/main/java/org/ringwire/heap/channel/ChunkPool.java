package org.ringwire.heap.channel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory for blocks that no channel of a node needs at the moment, of which a little is kept: so
 * channels over which nothing waits cost nothing, however many there are. Any thread.
 */
public final class ChunkPool {
  private static final long KEPT_BYTES = 16L << 20;
  private static final long ALIGNMENT = 8;

  private final int chunkBytes;
  private int most; // guarded by the lock, as what is free
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

  /**
   * An empty one.
   *
   * @param chunkBytes bytes of memory that is allocated at once
   */
  public ChunkPool(int chunkBytes) {
    this.chunkBytes = chunkBytes;
    this.most = (int) Math.max(1, KEPT_BYTES / chunkBytes);
  }

  /** Memory of that length, or more; the collector frees it unless it is given back. */
  MemorySegment take(long length) {
    if (length > chunkBytes) {
      return allocate(length);
    }
    MemorySegment chunk;
    lock.lock();
    try {
      chunk = free.pollLast();
    } finally {
      lock.unlock();
    }
    return chunk == null ? allocate(chunkBytes) : chunk;
  }

  private static MemorySegment allocate(long length) {
    return Arena.ofAuto().allocate(length, ALIGNMENT);
  }

  /** Whether memory is of the length that others can use. */
  boolean isShared(MemorySegment chunk) {
    return chunk.byteSize() == chunkBytes;
  }

  /** Nobody uses it any more. */
  void giveBack(MemorySegment chunk) {
    lock.lock();
    try {
      if (free.size() < most) {
        free.addLast(chunk);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Nothing is kept any more. */
  public void close() {
    lock.lock();
    try {
      most = 0;
      free.clear();
    } finally {
      lock.unlock();
    }
  }
}
