package org.ringwire.heap.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** How often the JVM is asked for memory that it does not have: each time takes long. */
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

  @Test
  void shouldAskOnceInASecondWhereThereIsNoMemory() {
    isPoor = true;
    for (int i = 0; i < 10; i++) {
      expectRefused(CHUNK);
      expectRefused(2 * CHUNK);
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
}
