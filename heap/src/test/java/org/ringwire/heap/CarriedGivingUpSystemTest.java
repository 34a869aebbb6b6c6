package org.ringwire.heap;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.EncodingException;
import org.ringwire.heap.Samples.Circle;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** Graphs that are given up when some of their blocks are carried already. */
@ExtendWith(NodeWatcher.class)
class CarriedGivingUpSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int ROUNDS = 300;

  /** Segments of a graph of 8 MiB, and one that is kept. */
  private static final int NEEDED = 10;

  /** Of seven segments: all that the graph needs was asked for, and there is time to ask again. */
  private static final int BLOCKS_BEFORE_THE_END = 7 * 252;

  private final TestChannels channels = new TestChannels();

  @AfterEach
  void close() {
    channels.close();
  }

  private static Object[] unsendable() {
    return new Object[] {new Circle(1), new byte[10_000], Thread.currentThread()};
  }

  /** A block may be there long before a message that was sent before it. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void shouldLoseNoGraphThatWasWrittenAfterOneThatWasGivenUp(String transport) {
    HeapChannel one = channels.open(1, transport, channels.left).to(2);
    HeapChannel two = channels.open(2, transport, channels.right).to(1);
    for (int i = 0; i < ROUNDS; i++) {
      assertThatThrownBy(() -> one.writeObject(unsendable())).isInstanceOf(EncodingException.class);
      one.writeObject(new Circle(i));

      assertThatThrownBy(two::readObject)
          .isInstanceOf(GraphLostException.class)
          .hasMessageContaining("gave it up: org.ringwire.EncodingException");
      assertThat(two.readObject()).isEqualTo(new Circle(i));
    }
  }

  /** Announces as much as a graph needs, and what goes beyond that when the graph has ended. */
  private record Hesitant(MemoryCarrier carrier, CountDownLatch waits, CountDownLatch ended)
      implements BlockCarrier {
    @Override
    public String kind() {
      return carrier.kind();
    }

    @Override
    public Announcement announce(MemorySegment memory, Listener listener) {
      if (carrier.announcements.get() >= NEEDED) {
        waits.countDown();
        awaitFor(ended, 1); // the graph may have asked for what it needs together with more
      }
      return carrier.announce(memory, listener);
    }

    @Override
    public Target open(int nodeId, byte[] descriptor) {
      return carrier.open(nodeId, descriptor);
    }
  }

  private static void await(CountDownLatch latch) {
    assertThat(awaitFor(latch, PATIENCE.toSeconds())).isTrue();
  }

  private static boolean awaitFor(CountDownLatch latch, long seconds) {
    try {
      return latch.await(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldTakeBackWhatIsAnnouncedForAGraphThatHasEnded() {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    HeapChannel one = channels.open(1, channels.left).to(2);
    HeapChannel two = channels.open(2, new Hesitant(channels.right, waits, ended)).to(1);
    byte[] graph = new byte[8 << 20];
    channels.left.beforeWrite =
        () -> {
          if (channels.left.blocks.get() >= BLOCKS_BEFORE_THE_END) {
            Awaiting.await(
                "all that the graph needs", () -> channels.right.announcements.get() >= NEEDED);
          }
        };

    one.writeObject(graph);
    await(waits);
    ended.countDown();

    assertThat((byte[]) two.readObject()).hasSameSizeAs(graph);
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (channels.right.announcements.get() <= NEEDED
        || channels.right.announcedBytes.get() > 2 << 20) {
      assertThat(System.nanoTime() - deadlineNs).isNegative();
      Thread.onSpinWait();
    }
    one.writeObject("next");
    assertThat(two.readObject()).isEqualTo("next");
  }

  @Test
  void shouldKnowOfEachGraphThatWasGivenUpBeforeAnyOfItsBlocksCame() throws Exception {
    HeapChannel one = channels.open(1, channels.left).to(2);
    HeapChannel two = channels.open(2, channels.right).to(1);
    one.writeObject("opens the stream");
    assertThat(two.readObject()).isEqualTo("opens the stream");
    CountDownLatch given = new CountDownLatch(1);
    channels.left.beforeWrite = () -> await(given);

    for (int i = 0; i < 3; i++) {
      Object[] bad = {"x".repeat(4096), Thread.currentThread()};
      assertThatThrownBy(() -> one.writeObject(bad)).isInstanceOf(EncodingException.class);
    }
    given.countDown();
    one.writeObject(new Circle(2));

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(two::readObject)
          .isInstanceOf(GraphLostException.class)
          .hasMessageContaining("gave it up");
    }
    assertThat(two.readObject()).isEqualTo(new Circle(2));
  }

  /** Once there is no heap for the future of a block that is being written by then. */
  private record WithoutHeap(
      BlockCarrier.Target target, AtomicReference<CompletableFuture<Void>> written)
      implements BlockCarrier.Target {
    @Override
    public void write(long offset, MemorySegment block, int tag, Duration timeout) {
      target.write(offset, block, tag, timeout);
    }

    @Override
    public CompletionStage<Void> writeAsync(long offset, MemorySegment block, int tag) {
      CompletableFuture<Void> future = target.writeAsync(offset, block, tag).toCompletableFuture();
      return written.compareAndSet(null, future) ? new Futureless(future) : future;
    }
  }

  private static final class Futureless extends CompletableFuture<Void> {
    private final CompletableFuture<Void> future;
    private boolean isAsked;

    Futureless(CompletableFuture<Void> future) {
      this.future = future;
    }

    @Override
    public CompletableFuture<Void> toCompletableFuture() {
      if (!isAsked) {
        isAsked = true;
        throw new OutOfMemoryError("as if");
      }
      return future;
    }
  }

  private record Heapless(MemoryCarrier carrier, AtomicReference<CompletableFuture<Void>> written)
      implements ForwardingCarrier {
    @Override
    public Target open(int nodeId, byte[] descriptor) {
      return new WithoutHeap(carrier.open(nodeId, descriptor), written);
    }
  }

  /** What is written may be read by a device, of memory that would be anybody's by then. */
  @Test
  void shouldKeepTheMemoryOfABlockThatIsBeingWrittenThoughThereIsNoHeapToKnowIt() {
    AtomicReference<CompletableFuture<Void>> written = new AtomicReference<>();
    CountDownLatch goesOn = new CountDownLatch(1);
    channels.left.beforeWrite = () -> await(goesOn);
    HeapChannels sending = channels.open(1, new Heapless(channels.left, written));
    HeapChannel _ = channels.open(2, channels.right).to(1);

    assertThatThrownBy(() -> sending.to(2).writeObject(new byte[64 << 10]))
        .isInstanceOf(OutOfMemoryError.class);
    sending.close();
    goesOn.countDown();

    Awaiting.await("the block", () -> requireNonNull(written.get()).isDone());
    assertThat(written.get()).isCompleted();
  }
}
