package org.ringwire.heap.channel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Memory for blocks that no channel of a node needs at the moment, of which a little is kept: so
 * channels over which nothing waits cost nothing, however many there are. Any thread.
 *
 * <p>Where there is no native memory the JVM collects garbage and waits for it, half a second or
 * more, before it says so; and blocks arrive on threads that read from the network for others, too.
 * So whoever comes in the second after that is refused at once, unless memory was let go of.
 */
public final class ChunkPool {
  private static final long KEPT_BYTES = 16L << 20;
  private static final long ALIGNMENT = 8;
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

  private final int chunkBytes;
  private final LongFunction<MemorySegment> allocator;
  private final LongSupplier clock;
  private int most; // guarded by the lock, as what is free, and what follows that
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
  private boolean isPoor;
  private long askedNs; // while that is so: when the JVM was asked last

  /**
   * An empty one.
   *
   * @param chunkBytes bytes of memory that is allocated at once
   */
  public ChunkPool(int chunkBytes) {
    this(chunkBytes, length -> Arena.ofAuto().allocate(length, ALIGNMENT), System::nanoTime);
  }

  /**
   * As above.
   *
   * @param allocator of memory that the collector frees
   * @param clock of nanoseconds
   */
  ChunkPool(int chunkBytes, LongFunction<MemorySegment> allocator, LongSupplier clock) {
    this.chunkBytes = chunkBytes;
    this.allocator = allocator;
    this.clock = clock;
    this.most = (int) Math.max(1, KEPT_BYTES / chunkBytes);
  }

  /**
   * Memory of that length, or more; the collector frees it unless it is given back.
   *
   * @throws OutOfMemoryError if there is none, or was none a moment ago
   */
  MemorySegment take(long length) {
    lock.lock();
    try {
      MemorySegment chunk = length > chunkBytes ? null : free.pollLast();
      if (chunk != null) {
        return chunk;
      }
      requirePause();
    } finally {
      lock.unlock();
    }
    try {
      MemorySegment chunk = allocator.apply(Math.max(length, chunkBytes));
      setPoor(false);
      return chunk;
    } catch (OutOfMemoryError e) {
      setPoor(true);
      throw e;
    }
  }

  /** With the lock; one thread asks in each pause, and the others need not wait for it. */
  private void requirePause() {
    if (!isPoor) {
      return;
    }
    long nowNs = clock.getAsLong();
    if (nowNs - askedNs < PAUSE_NS) {
      throw new OutOfMemoryError("there was no native memory for blocks a moment ago");
    }
    askedNs = nowNs;
  }

  private void setPoor(boolean now) {
    lock.lock();
    try {
      isPoor = now;
      askedNs = now ? clock.getAsLong() : 0;
    } finally {
      lock.unlock();
    }
  }

  /** Nobody uses it any more; what others cannot use is left to the collector. */
  void giveBack(MemorySegment memory) {
    lock.lock();
    try {
      if (memory.byteSize() == chunkBytes && free.size() < most) {
        free.addLast(memory);
      } else {
        isPoor = false;
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
