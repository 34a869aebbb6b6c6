package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Many graphs that were written and that a carrier has not delivered yet. */
@ExtendWith(NodeWatcher.class)
class GraphsUnderWayTest {
  private static final int GRAPHS = 200;

  private final TestChannels channels = new TestChannels();
  private final CountDownLatch goesOn = new CountDownLatch(1);

  /** Keeps what was begun. */
  private record Recording(MemoryCarrier carrier, List<CompletableFuture<Void>> writes)
      implements ForwardingCarrier {
    @Override
    public Target open(int nodeId, byte[] descriptor) {
      Target target = carrier.open(nodeId, descriptor);
      return new Target() {
        @Override
        public void write(long offset, MemorySegment block, int tag, Duration timeout) {
          target.write(offset, block, tag, timeout);
        }

        @Override
        public CompletionStage<Void> writeAsync(long offset, MemorySegment block, int tag) {
          CompletableFuture<Void> write =
              target.writeAsync(offset, block, tag).toCompletableFuture();
          writes.add(write);
          return write;
        }
      };
    }
  }

  @AfterEach
  void close() {
    goesOn.countDown();
    channels.close();
  }

  /** Else a thousand of them take a gigabyte of heap, since each waits for all that are before. */
  @Test
  void shouldCostTheSameHoweverManyAreBeforeThem() throws Exception {
    List<CompletableFuture<Void>> writes = new CopyOnWriteArrayList<>();
    HeapChannel one = channels.open(1, new Recording(channels.left, writes)).to(2);
    HeapChannel two = channels.open(2, channels.right).to(1);
    channels.left.beforeWrite = () -> await(goesOn);

    WriteHandle last = one.writeObjectAsync(0);
    for (int i = 1; i < GRAPHS; i++) {
      last = one.writeObjectAsync(i);
    }

    assertThat(writes).hasSize(GRAPHS);
    assertThat(writes)
        .extracting(CompletableFuture::getNumberOfDependents)
        .allMatch(waiting -> waiting < 10);
    assertThat(one.testHandle(last)).isFalse();
    goesOn.countDown();
    one.waitHandle(last);
    for (int i = 0; i < GRAPHS; i++) {
      assertThat(two.readObject()).isEqualTo(i);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
