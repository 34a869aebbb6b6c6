package org.ringwire.heap.channel.inbound;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.memory.LostMemory;

/**
 * Where blocks wait to be read: packed into chunks one after the other, so that small ones take no
 * more than their length, and each readable in place. A chunk in which nothing waits is left to
 * other channels, or to nobody if it was made for a block longer than theirs. Guarded by the lock
 * of its {@link Inbox}.
 */
final class GraphMemory {
  private final ChunkPool chunks;
  private @Nullable Chunk last;

  /** Some memory. */
  static final class Chunk implements Piece.Home {
    private final MemorySegment memory;
    private long filled;
    private int unread;

    Chunk(MemorySegment memory) {
      this.memory = memory;
    }
  }

  GraphMemory(ChunkPool chunks) {
    this.chunks = chunks;
  }

  /**
   * Copies a block in.
   *
   * @throws InternalError if its sender has taken its memory away; then nothing was put in
   */
  Piece add(MemorySegment head, MemorySegment body) {
    long length = head.byteSize() + body.byteSize();
    Chunk chunk = last;
    if (chunk == null || chunk.memory.byteSize() - chunk.filled < length) {
      chunk = new Chunk(chunks.take(length));
      last = chunk;
    }
    MemorySegment bytes = chunk.memory.asSlice(chunk.filled, length);
    MemorySegment.copy(head, 0, bytes, 0, head.byteSize());
    MemorySegment.copy(body, 0, bytes, head.byteSize(), body.byteSize());
    LostMemory.check();
    Piece piece = new Piece(bytes, chunk);
    chunk.filled += length;
    chunk.unread++; // from here on it has to be freed
    return piece;
  }

  /** Nobody reads a block any more. */
  void release(Chunk chunk) {
    if (--chunk.unread > 0) {
      return;
    }
    last = chunk == last ? null : last;
    chunks.giveBack(chunk.memory);
  }

  /** Nobody reads what waits any more. */
  void leave() {
    last = null;
    chunks.leftToCollector();
  }
}
