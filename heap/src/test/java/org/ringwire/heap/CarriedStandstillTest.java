package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.WaitInterruptedException;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** A receiver stands still that was asked for memory ahead: whoever writes can be told to stop. */
@ExtendWith(NodeWatcher.class)
class CarriedStandstillTest {
  private final TestChannels test =
      new TestChannels(TestChannels.OPTIONS.withTimeout(Duration.ofHours(1)));
  private final CountDownLatch isAsked = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final AtomicReference<Thread> writer = new AtomicReference<>();
  private final HeapChannels sending = test.open(1, test.left);
  private CompletableFuture<Void> writing = new CompletableFuture<>();

  /** The first segment is announced, and is not enough. */
  @BeforeEach
  void write() throws Exception {
    HeapChannel _ = test.open(2, new StandingStill()).to(1);
    writing =
        ChannelSystemTest.start(() -> {
          writer.set(Thread.currentThread());
          sending.to(2).writeObject(new byte[4 << 20]);
        });
    assertThat(isAsked.await(TestChannels.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Awaiting.await("all that there is room for", () -> test.left.blockBytes.get() > 1_000_000);
  }

  @AfterEach
  void close() {
    goesOn.countDown();
    test.close();
  }

  private void awaitEndOfTest() {
    try {
      goesOn.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class StandingStill implements BlockCarrier {
    @Override
    public String kind() {
      return test.right.kind();
    }

    @Override
    public Announcement announce(MemorySegment memory, Listener listener) {
      if (test.right.announcements.get() > 0) {
        isAsked.countDown();
        awaitEndOfTest();
      }
      return test.right.announce(memory, listener);
    }

    @Override
    public Target open(int nodeId, byte[] descriptor) {
      return test.right.open(nodeId, descriptor);
    }
  }

  @Test
  void shouldEndTheWaitOfAWriterWhenItsChannelsAreClosed() {
    sending.close();

    Awaiting.await("the end of the writer", writing::isDone);
    assertThatThrownBy(() -> ChannelSystemTest.await(writing))
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldEndTheWaitOfAWriterThatIsInterrupted() {
    writer.get().interrupt();

    Awaiting.await("the end of the writer", writing::isDone);
    assertThatThrownBy(() -> ChannelSystemTest.await(writing))
        .cause()
        .isInstanceOf(WaitInterruptedException.class);
  }
}
