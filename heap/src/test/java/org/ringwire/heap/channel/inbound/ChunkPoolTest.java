package org.ringwire.heap.channel.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/**
 * How long the memory is that blocks wait in, and how often the JVM is asked for some that it does
 * not have: each time takes long.
 */
@ExtendWith(NodeWatcher.class)
class ChunkPoolTest {
  private static final int CHUNK = 4096;

  private long nowNs = Long.MAX_VALUE - 1; // of a clock that may wrap around
  private int asked;
  private boolean isPoor;
  private final ChunkPool chunks = new ChunkPool(CHUNK, this::allocate, () -> nowNs);

  private MemorySegment allocate(long length) {
    asked++;
    if (isPoor) {
      throw new OutOfMemoryError("on purpose");
    }
    return Arena.ofAuto().allocate(length);
  }

  private void expectRefused(long length) {
    assertThatThrownBy(() -> chunks.take(length)).isInstanceOf(OutOfMemoryError.class);
  }

  /** New memory takes time for each byte of it, and a window has room for few that are long. */
  @Test
  void shouldTakeShortChunksForSmallGraphsHoweverLongBlocksMayBe() {
    assertThat(ChunkPool.of(1 << 24, 20L << 20).take(100).byteSize()).isEqualTo(1 << 18);
    assertThat(ChunkPool.of(1 << 16, 1 << 16).take(100).byteSize()).isEqualTo(1 << 14);
    assertThat(ChunkPool.of(CHUNK, 1 << 20).take(100).byteSize()).isEqualTo(CHUNK);
  }

  @Test
  void shouldKeepTheMemoryOfLongBlocksForOthers() {
    ChunkPool pool = ChunkPool.of(1 << 20, 20L << 20);
    MemorySegment block = pool.take((1 << 20) - 300);
    assertThat(block.byteSize()).isEqualTo(1 << 20);
    pool.giveBack(block);

    assertThat(pool.take(100).byteSize()).isEqualTo(1 << 18);
    assertThat(pool.take(1 << 20)).isSameAs(block);
  }

  @Test
  void shouldAskOnceInASecondWhereThereIsNoMemory() {
    isPoor = true;
    for (int i = 0; i < 10; i++) {
      expectRefused(CHUNK);
      expectRefused(2 * CHUNK);
      expectRefused(1);
      nowNs += TimeUnit.MILLISECONDS.toNanos(50);
    }
    assertThat(asked).isEqualTo(1);

    nowNs += TimeUnit.MILLISECONDS.toNanos(500);
    expectRefused(CHUNK);
    expectRefused(CHUNK);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void shouldAskAsOftenAsNeededWhenThereIsMemoryAgain() {
    isPoor = true;
    expectRefused(CHUNK);
    isPoor = false;
    nowNs += TimeUnit.SECONDS.toNanos(1);

    assertThat(chunks.take(CHUNK).byteSize()).isEqualTo(CHUNK);
    assertThat(chunks.take(CHUNK).byteSize()).isEqualTo(CHUNK);
  }

  @Test
  void shouldHandOutWhatWasGivenBackThoughThereIsNoMemory() {
    MemorySegment chunk = chunks.take(CHUNK);
    isPoor = true;
    expectRefused(CHUNK);
    chunks.giveBack(chunk);

    assertThat(chunks.take(1)).isSameAs(chunk);
    expectRefused(1);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void shouldAskAgainWhenMemoryWasLeftToTheCollector() {
    MemorySegment longer = chunks.take(2 * CHUNK);
    isPoor = true;
    expectRefused(CHUNK);
    isPoor = false;
    chunks.giveBack(longer);

    assertThat(chunks.take(CHUNK).byteSize()).isEqualTo(CHUNK);
  }

  /** As if it had been kept where nobody looks for it: what is kept counts against the limit. */
  @Test
  void shouldLeaveToTheCollectorWhatIsMoreThanItKeeps() {
    List<MemorySegment> all = new ArrayList<>();
    for (int i = 0; i <= (16 << 20) / CHUNK; i++) {
      all.add(chunks.take(CHUNK));
    }
    isPoor = true;
    expectRefused(CHUNK);
    isPoor = false;
    all.forEach(chunks::giveBack); // the last one is too much

    all.forEach(_ -> assertThat(chunks.take(CHUNK).byteSize()).isEqualTo(CHUNK));
  }

  @Test
  void shouldStillAskForLessThanWhatThereWasNot() {
    isPoor = true;
    expectRefused(2 * CHUNK);
    isPoor = false;
    assertThat(chunks.take(CHUNK).byteSize()).isEqualTo(CHUNK);
    expectRefused(2 * CHUNK); // for a second
    assertThat(asked).isEqualTo(2);
  }
}
