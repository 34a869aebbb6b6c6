package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.heap.ChannelSystemTest.await;
import static org.ringwire.heap.ChannelSystemTest.start;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.WaitInterruptedException;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** A thread that is interrupted while it reads hears whether a graph is lost by that. */
@ExtendWith(NodeWatcher.class)
class InterruptedReaderSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int HALF = 2000;

  private final TestChannels channels = new TestChannels();

  @AfterEach
  void close() {
    channels.close();
  }

  @Test
  void shouldLoseNothingOfWhatIsThere() {
    HeapChannel one = channels.open(1).to(2);
    HeapChannel two = channels.open(2).to(1);
    one.writeObject("text");

    Thread.currentThread().interrupt();
    assertThatThrownBy(two::readObject).isInstanceOf(WaitInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();

    assertThat(two.readObject()).isEqualTo("text");
  }

  @Test
  void shouldSayThatAGraphIsLostInTheMiddle() throws Exception {
    HeapChannel one = channels.open(1).to(2);
    HeapChannel two = channels.open(2).to(1);
    CountDownLatch half = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Iterable<Integer> numbers =
        () ->
            IntStream.range(0, 2 * HALF)
                .peek(i -> {
                  if (i == HALF) {
                    half.countDown();
                    awaitLatch(goOn);
                  }
                })
                .iterator();
    CompletableFuture<Void> writing = start(() -> one.writeIterable(numbers));
    awaitLatch(half);
    Throwable[] thrown = new Throwable[1];
    boolean[] stays = new boolean[1];
    Thread reader =
        new Thread(() -> {
          try {
            Object _ = two.readObject();
          } catch (RuntimeException e) {
            thrown[0] = e;
            stays[0] = Thread.currentThread().isInterrupted();
          }
        });
    reader.start();
    Awaiting.await("a reader in the middle", () -> isWaitingInAGraph(reader));
    reader.interrupt();
    reader.join();
    goOn.countDown();
    await(writing);
    one.writeObject("next");

    assertThat(thrown[0])
        .isInstanceOf(GraphLostException.class)
        .hasMessageContainingAll("interrupted", "nodeId=1")
        .hasCauseInstanceOf(WaitInterruptedException.class);
    assertThat(stays[0]).isTrue();
    assertThat(two.readObject()).isEqualTo("next");
  }

  /** Not merely for a graph to begin, or for a lock. */
  private static boolean isWaitingInAGraph(Thread reader) {
    return reader.getState() == Thread.State.TIMED_WAITING
        && Arrays.stream(reader.getStackTrace())
            .anyMatch(frame -> frame.getClassName().endsWith("GraphReader$Pieces"));
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
