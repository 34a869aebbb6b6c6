package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class LeaderSeatTest {

  /** For whose registration there is no heap. */
  private static final class StarvedChannel extends SelectableChannel {
    private @Nullable Selector selector;

    @Override
    public SelectionKey register(Selector with, int ops, Object attachment) {
      selector = with;
      throw new OutOfMemoryError("as if");
    }

    @Override
    public SelectorProvider provider() {
      return SelectorProvider.provider();
    }

    @Override
    public int validOps() {
      return SelectionKey.OP_READ;
    }

    @Override
    public boolean isRegistered() {
      return false;
    }

    @Override
    public @Nullable SelectionKey keyFor(Selector with) {
      return null;
    }

    @Override
    public SelectableChannel configureBlocking(boolean block) {
      return this;
    }

    @Override
    public boolean isBlocking() {
      return false;
    }

    @Override
    public Object blockingLock() {
      return this;
    }

    @Override
    protected void implCloseChannel() {}
  }

  /** The link is good, and its requester can wait for the I/O thread. */
  @Test
  void shouldHaveNoSeatAndKeepNothingWhereThereIsNoHeapForOne() throws IOException {
    try (LeaderResources resources = new LeaderResources(IdleStrategy.parking(), 0);
        StarvedChannel channel = new StarvedChannel()) {
      while (resources.takeSeat()) {} // and one is left then
      resources.giveSeat();

      assertThatCode(() -> assertThat(LeaderSeat.open(resources, channel)).isNull())
          .doesNotThrowAnyException();

      assertThat(channel.selector.isOpen()).isFalse();
      assertThat(resources.takeSeat()).isTrue();
    }
  }

  @Test
  void shouldHaveNoBufferWhereThereIsNoMemoryForOne() {
    try (LeaderResources resources =
        new LeaderResources(
            IdleStrategy.parking(),
            4096,
            _ -> {
              throw new OutOfMemoryError("by the test");
            })) {
      assertThat(resources.takeBuffer()).isNull();
    }
  }

  @Test
  void shouldRoundTimesUpAndWaitLongForThoseThatNeverEnd() {
    assertThat(LeaderSeat.timeoutMs(1)).isOne();
    assertThat(LeaderSeat.timeoutMs(1_000_000)).isOne();
    assertThat(LeaderSeat.timeoutMs(1_000_001)).isEqualTo(2);
    assertThat(LeaderSeat.timeoutMs(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
