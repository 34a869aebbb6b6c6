package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.TransportConfig;

/**
 * What a loop has left when its time is over, and there is no heap for the end of it: nobody else
 * would end it, and whoever has it would wait for that.
 */
@ExtendWith(NodeWatcher.class)
@Timeout(120)
class LoopEndTest {

  private static final int IN_VAIN = 2;

  private final SelectorLoop loop =
      SelectorLoop.start(
          new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10)),
          "test",
          0);
  private final CountDownLatch begun = new CountDownLatch(1);

  @AfterEach
  void endLoop() throws InterruptedException {
    loop.shutdown();
    assertThat(loop.thread().join(Duration.ofSeconds(30))).isTrue();
  }

  /** Ends only when it must, and not at once, as there is no heap for it. */
  private abstract class Stubborn extends SelectorEntry {

    final AtomicInteger attempts = new AtomicInteger();

    Stubborn() {
      super(LoopEndTest.this.loop);
    }

    /** As one for which there is no heap at first. */
    void tryIt() {
      if (attempts.incrementAndGet() <= IN_VAIN) {
        throw new OutOfMemoryError("as this test wants it");
      }
    }

    @Override
    protected void ready(int readyOps) {}
  }

  /** Is inside of something, as the loop knows it. */
  private final class Busy extends Stubborn {

    private final Pipe.SinkChannel channel;

    Busy(Pipe.SinkChannel channel) {
      this.channel = channel;
    }

    @Override
    protected void begin() throws IOException {
      register(channel, 0);
      begun.countDown();
    }

    @Override
    protected void end(@Nullable Throwable cause) {} // as long as that lasts

    @Override
    public void forceEnd() {
      tryIt();
    }
  }

  /** Asks for something in each round, so that the loop has it in its queue at the end. */
  private final class Late extends Stubborn {

    @Override
    protected void watchRead() {
      begun.countDown();
      signal(READ);
    }

    @Override
    protected void end(@Nullable Throwable cause) {
      tryIt();
    }
  }

  @Test
  void shouldForceTheEndOfWhatIsBusyUntilThereIsHeapForIt() throws Exception {
    Pipe pipe = Pipe.open();
    try (Pipe.SinkChannel channel = pipe.sink();
        Pipe.SourceChannel _ = pipe.source()) {
      channel.configureBlocking(false);
      Busy busy = new Busy(channel);
      busy.signal(SelectorEntry.CONNECT);
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
      endLoop();
      assertThat(busy.attempts).hasValue(IN_VAIN + 1);
      assertThat(channel.isOpen()).isFalse();
    }
  }

  @Test
  void shouldEndWhatCameTooLateOnceThereIsHeapForIt() throws Exception {
    Late late = new Late();
    late.signal(SelectorEntry.READ);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    endLoop();
    assertThat(late.attempts).hasValue(IN_VAIN + 1);
  }
}
