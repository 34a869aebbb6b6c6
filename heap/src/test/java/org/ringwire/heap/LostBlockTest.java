package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.testing.NodeWatcher;

/** One block of a graph is not written, and the carrier says so. */
@ExtendWith(NodeWatcher.class)
class LostBlockTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CarriedPair pair = new CarriedPair();
  private final MemoryCarrier left = pair.left;

  @AfterEach
  void close() throws Exception {
    pair.close();
  }

  /** Those before and behind it arrive, and the last one is what the thread waits for. */
  @Test
  void shouldSayThatAGraphIsLostWhicheverOfItsBlocksWas() {
    shouldSayThatAGraphIsLost(write -> {});
  }

  /** Then the last one fails, too, and for another reason. */
  @Test
  void shouldSayThatAGraphIsLostIfItsReceiverHasRevokedTheMemorySince() {
    shouldSayThatAGraphIsLost(write -> {
      if (write == 4) {
        await("no memory announced", () -> pair.right.announcedBytes.get() == 0);
      }
    });
  }

  private void shouldSayThatAGraphIsLost(IntConsumer beforeWrite) {
    ChannelOptions options = ChannelOptions.DEFAULT.withTimeout(PATIENCE).withBlockBytes(4096);
    HeapChannel one = pair.channels(1, options, left).to(2);
    HeapChannel two = pair.channels(2, options, pair.right).to(1);
    one.writeObject("before");
    assertThat(two.readObject()).isEqualTo("before");
    int before = left.submissions.get();
    AtomicInteger writes = new AtomicInteger();
    left.beforeWrite =
        () -> {
          int write = writes.incrementAndGet();
          await("all blocks under way", () -> left.submissions.get() >= before + 4);
          if (write == 2) {
            throw new MessagingException("the way is broken");
          }
          beforeWrite.accept(write);
        };

    assertThatThrownBy(() -> one.writeObject("x".repeat(14_000)))
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("the way is broken");
    left.beforeWrite = () -> {};
    one.writeObject("after");

    assertThatThrownBy(two::readObject).isInstanceOf(GraphLostException.class);
    assertThat(two.readObject()).isEqualTo("after");
  }
}
