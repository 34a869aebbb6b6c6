package org.ringwire.heap.channel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Where blocks wait to be read: packed into chunks one after the other, so that small ones take no
 * more than their length, and each readable in place. Chunks are used again; of those that nobody
 * needs a few are kept. Guarded by the lock of its {@link Inbox}.
 */
final class GraphMemory {
  private static final int KEPT_CHUNKS = 16;
  private static final long ALIGNMENT = 8;

  private final long chunkBytes;
  private final ArrayDeque<Chunk> free = new ArrayDeque<>();
  private @Nullable Chunk last;

  /** Some memory; the collector frees it. */
  static final class Chunk implements Piece.Home {
    private final MemorySegment memory;
    private long filled;
    private int unread;

    Chunk(long bytes) {
      this.memory = Arena.ofAuto().allocate(bytes, ALIGNMENT);
    }
  }

  GraphMemory(long chunkBytes) {
    this.chunkBytes = chunkBytes;
  }

  /** Copies a block in. */
  Piece add(MemorySegment head, MemorySegment body) {
    long length = head.byteSize() + body.byteSize();
    Chunk chunk = last;
    if (chunk == null || chunk.memory.byteSize() - chunk.filled < length) {
      chunk = length <= chunkBytes && !free.isEmpty() ? free.removeLast() : newChunk(length);
      last = chunk;
    }
    MemorySegment bytes = chunk.memory.asSlice(chunk.filled, length);
    MemorySegment.copy(head, 0, bytes, 0, head.byteSize());
    MemorySegment.copy(body, 0, bytes, head.byteSize(), body.byteSize());
    chunk.filled += length;
    chunk.unread++;
    return new Piece(bytes, chunk);
  }

  private Chunk newChunk(long length) {
    return new Chunk(Math.max(length, chunkBytes));
  }

  /** Nobody reads a block any more. */
  void release(Chunk chunk) {
    if (--chunk.unread > 0) {
      return;
    }
    chunk.filled = 0;
    if (chunk != last && chunk.memory.byteSize() == chunkBytes && free.size() < KEPT_CHUNKS) {
      free.addLast(chunk);
    }
  }
}
