package org.ringwire.heap.channel.inbound;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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

  private static final long LONGEST_CHUNK = 1 << 18;
  private static final long WINDOW_PARTS = 4;

  /** In place of a length beyond those of the shelves: so few kinds of requests ask. */
  private static final long LONGER = Long.MAX_VALUE;

  private final Shelf chunks;
  private final Shelf blocks; // none if a chunk has room for each
  private final LongFunction<MemorySegment> allocator;
  private final LongSupplier clock;
  private final Object lock = new Object(); // a monitor, as that of an inbox
  private boolean isPoor; // guarded by the lock, as what is free and the next two
  private long poorBytes; // while that is so: the least that there was not
  private long askedNs; // while that is so: when the JVM was asked last

  /** Memory of one length, which is free. */
  private static final class Shelf {
    private final long bytes;
    private int most;
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

    Shelf(long bytes) {
      this.bytes = bytes;
      this.most = (int) Math.max(1, KEPT_BYTES / bytes);
    }

    boolean add(MemorySegment memory) {
      if (memory.byteSize() != bytes || free.size() >= most) {
        return false;
      }
      try {
        free.addLast(memory);
        return true;
      } catch (OutOfMemoryError e) { // what is kept may be gone with it, and no more
        return false;
      }
    }

    void close() {
      most = 0;
      free.clear();
    }
  }

  private ChunkPool(
      long chunkBytes, long blockBytes, LongFunction<MemorySegment> allocator, LongSupplier clock) {
    this.chunks = new Shelf(chunkBytes);
    this.blocks = new Shelf(blockBytes);
    this.allocator = allocator;
    this.clock = clock;
  }

  /**
   * An empty one for chunks of one length only.
   *
   * @param allocator of memory that the collector frees
   * @param clock of nanoseconds
   */
  ChunkPool(long chunkBytes, LongFunction<MemorySegment> allocator, LongSupplier clock) {
    this(chunkBytes, chunkBytes, allocator, clock);
  }

  /**
   * An empty one. Small graphs get chunks of which some fit into a window, however long blocks may
   * be: new memory takes time for each byte.
   *
   * @param blockBytes of the blocks of senders that have the same options
   * @param windowBytes that may wait for each channel
   */
  public static ChunkPool of(long blockBytes, long windowBytes) {
    long chunkBytes = Math.min(blockBytes, Math.min(LONGEST_CHUNK, windowBytes / WINDOW_PARTS));
    return new ChunkPool(
        chunkBytes,
        Math.max(chunkBytes, Math.min(blockBytes, windowBytes)),
        length -> Arena.ofAuto().allocate(length, ALIGNMENT),
        System::nanoTime);
  }

  /**
   * An empty one for memory of one length only.
   *
   * @param alignment of all of it
   */
  static ChunkPool aligned(long bytes, long alignment) {
    return new ChunkPool(
        bytes, length -> Arena.ofAuto().allocate(length, alignment), System::nanoTime);
  }

  /**
   * Memory of that length, or more; the collector frees it unless it is given back.
   *
   * @throws OutOfMemoryError if there is none, or was none a moment ago
   */
  MemorySegment take(long length) {
    Shelf shelf = shelf(length);
    long bytes = shelf == null ? LONGER : shelf.bytes;
    synchronized (lock) {
      MemorySegment kept = shelf == null ? null : shelf.free.pollLast();
      if (kept != null) {
        return kept;
      }
      requirePause(bytes);
    }
    try {
      MemorySegment fresh = allocator.apply(shelf == null ? length : shelf.bytes);
      setRich(bytes);
      return fresh;
    } catch (OutOfMemoryError e) {
      setPoor(bytes);
      throw e;
    }
  }

  private @Nullable Shelf shelf(long length) {
    if (length <= chunks.bytes) {
      return chunks;
    }
    return length <= blocks.bytes ? blocks : null;
  }

  /**
   * With the lock; one thread asks in each pause, and the others need not wait for it. Whoever
   * needs less than what there was not is no other.
   */
  private void requirePause(long bytes) {
    if (!isPoor || bytes < poorBytes) {
      return;
    }
    long nowNs = clock.getAsLong();
    if (nowNs - askedNs < PAUSE_NS) {
      throw new OutOfMemoryError("there was no native memory for blocks a moment ago");
    }
    askedNs = nowNs;
  }

  private void setPoor(long bytes) {
    synchronized (lock) {
      poorBytes = isPoor ? Math.min(poorBytes, bytes) : bytes;
      isPoor = true;
      askedNs = clock.getAsLong();
    }
  }

  private void setRich(long bytes) {
    synchronized (lock) {
      isPoor &= bytes < poorBytes;
    }
  }

  /** Nobody uses it any more; what others cannot use is left to the collector. */
  void giveBack(MemorySegment memory) {
    synchronized (lock) {
      Shelf shelf = shelf(memory.byteSize()); // where it would be taken from
      isPoor &= shelf != null && shelf.add(memory);
    }
  }

  /** Some that was taken is not given back but left to the collector: there may be memory again. */
  void leftToCollector() {
    synchronized (lock) {
      isPoor = false;
    }
  }

  /** Nothing is kept any more. */
  public void close() {
    synchronized (lock) {
      chunks.close();
      blocks.close();
    }
  }
}
