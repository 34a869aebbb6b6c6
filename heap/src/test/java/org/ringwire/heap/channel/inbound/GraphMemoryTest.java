package org.ringwire.heap.channel.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What a channel keeps of the memory in which blocks have waited. */
@ExtendWith(NodeWatcher.class)
class GraphMemoryTest {
  private static final int CHUNK = 4096;

  private final ChunkPool chunks = ChunkPool.of(CHUNK, 1 << 20);
  private final GraphMemory memory = new GraphMemory(chunks);

  private Piece add(int bytes) {
    return memory.add(MemorySegment.ofArray(new byte[bytes]), MemorySegment.NULL);
  }

  private void release(Piece piece) {
    memory.release((GraphMemory.Chunk) piece.home());
  }

  /** Senders may have longer blocks than their receiver, which nobody else can use. */
  @Test
  void shouldNotKeepMemoryThatIsLongerThanABlockOnceItWasRead() {
    Piece longer = add(2 * CHUNK);
    release(longer);
    Piece next = add(16);

    assertThat(next.home()).isNotSameAs(longer.home());
    release(next);
    MemorySegment free = chunks.take(CHUNK);
    assertThat(free.byteSize()).isEqualTo(CHUNK);
    assertThat(free.address()).isEqualTo(next.bytes().address());
  }

  @Test
  void shouldPackBlocksWhereSomethingWaits() {
    Piece longer = add(2 * CHUNK);
    Piece first = add(16);
    release(longer);
    Piece second = add(16);

    assertThat(second.home()).isSameAs(first.home());
  }
}
