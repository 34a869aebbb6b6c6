package org.ringwire.engine.outbound.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class ScratchBuffersTest {

  private final ReceiveBufferPool pool = new ReceiveBufferPool(1 << 20);
  private final ScratchBuffers scratch = new ScratchBuffers(pool);

  @AfterEach
  void returnsEveryBuffer() {
    scratch.close();
    assertThat(pool.outstanding()).isZero();
    pool.close();
  }

  @Test
  void shouldKeepAThreadsBuffer() {
    ReceiveBuffer first = scratch.take(7);
    assertThat(first.capacity()).isGreaterThanOrEqualTo(ScratchBuffers.MAX_LENGTH);
    scratch.giveBack(7, first);

    assertThat(scratch.take(7)).isSameAs(first);
    scratch.giveBack(7, first);
    assertThat(pool.acquired()).isEqualTo(1);
  }

  @Test
  void shouldGiveAnotherBufferToAThreadThatFindsNone() {
    ReceiveBuffer first = scratch.take(7);
    ReceiveBuffer second = scratch.take(7 + 16); // the same slot

    assertThat(second).isNotSameAs(first);
    scratch.giveBack(7, first);
    scratch.giveBack(7 + 16, second);
    assertThat(pool.outstanding()).as("one stays").isEqualTo(1);
  }

  @Test
  void shouldKeepNothingAfterItsEnd() {
    ReceiveBuffer late = scratch.take(1);
    scratch.giveBack(2, scratch.take(2));
    scratch.close();
    assertThat(pool.outstanding()).isEqualTo(1);

    scratch.giveBack(1, late);

    assertThat(pool.outstanding()).isZero();
  }

  @Test
  void shouldNeverGiveABufferToTwo() throws InterruptedException {
    int threads = 4;
    ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();
    CountDownLatch done = new CountDownLatch(threads);
    for (int index = 0; index < threads; index++) {
      int id = index % 2; // two threads for each slot
      long mark = index + 1L;
      Thread.ofPlatform()
          .name("scratch-" + index)
          .start(() -> {
            for (int round = 0; round < 50_000; round++) {
              ReceiveBuffer buffer = scratch.take(id);
              buffer.segment().set(ValueLayout.JAVA_LONG, 0, mark);
              if (round % 1000 == 0) {
                scratch.empty();
              }
              if (buffer.segment().get(ValueLayout.JAVA_LONG, 0) != mark) {
                problems.add("somebody else writes: round=" + round);
              }
              scratch.giveBack(id, buffer);
            }
            done.countDown();
          });
    }

    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(problems).isEmpty();
  }
}
