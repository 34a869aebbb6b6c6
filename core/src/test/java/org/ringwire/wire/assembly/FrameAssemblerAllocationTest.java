package org.ringwire.wire.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameStream;
import org.ringwire.wire.WirePools;

/** Once warm, assembling allocates nothing: not per frame, not per piece. */
@ExtendWith(NodeWatcher.class)
class FrameAssemblerAllocationTest {

  private static final int FRAMES_PER_PIECE = 1000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private long frames;

  @Test
  void shouldNotAllocateForFramesInPlace() {
    assertNoAllocation(0);
  }

  @Test
  void shouldNotAllocateForFramesAcrossPieces() {
    assertNoAllocation(44);
  }

  @Test
  void shouldNotAllocateForHeadersAcrossPieces() {
    assertNoAllocation(3);
  }

  /** A million frames of 88 bytes, in pieces that end within a frame. */
  private void assertNoAllocation(int cut) {
    try (Arena arena = Arena.ofConfined();
        ReceiveBufferPool pool = WirePools.open();
        FrameAssembler assembler =
            new FrameAssembler((memory, offset, header) -> frames++, 1 << 20, pool)) {
      FrameStream stream = new FrameStream();
      for (int i = 0; i < FRAMES_PER_PIECE; i++) {
        stream.message(80);
      }
      MemorySegment memory = arena.allocate(stream.bytes().length, 8);
      MemorySegment.copy(stream.segment(), 0, memory, 0, memory.byteSize());
      long least = Long.MAX_VALUE;
      for (int attempt = 0; attempt < 10 && least > 0; attempt++) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        deliver(assembler, memory, cut);
        least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(least).as("bytes allocated for a million frames").isZero();
      assertThat(frames).isGreaterThanOrEqualTo(1_000_000);
    }
  }

  private static void deliver(FrameAssembler assembler, MemorySegment memory, int cut) {
    for (int piece = 0; piece < 1_000_000 / FRAMES_PER_PIECE; piece++) {
      assembler.received(memory, 0, cut);
      assembler.received(memory, cut, memory.byteSize() - cut);
    }
  }
}
