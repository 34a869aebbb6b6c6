package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.TransportConfig;

/** What lingers of links that this side has closed takes no more descriptors than it says. */
@ExtendWith(NodeWatcher.class)
class LingeringCloseTest {

  private static final int BEYOND = 10;
  private static final Duration CONNECT_TIMEOUT = Duration.ofHours(1);
  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, CONNECT_TIMEOUT);

  private final SelectorLoop loop = SelectorLoop.start(CONFIG, "test", 0);
  private final List<Closeable> peers = new ArrayList<>();
  private final List<SocketChannel> channels = new ArrayList<>();

  /** A link with nothing but its channel. */
  private static final class Entry extends SelectorEntry {

    Entry(SelectorLoop loop, SocketChannel channel) throws ClosedChannelException {
      super(loop);
      register(channel, 0);
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected void end(@Nullable Throwable cause) {}
  }

  /** Peers that never close. */
  private void connect(int count) throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      for (int i = 0; i < count; i++) {
        peers.add(SocketChannel.open(server.getLocalAddress()));
        SocketChannel accepted = server.accept();
        accepted.configureBlocking(false);
        channels.add(accepted);
      }
    }
  }

  /** Lets all linger, one after the other; returns which are open at the end of that. */
  private List<SocketChannel> openAfterAllLinger(boolean isNew) throws InterruptedException {
    List<SocketChannel> open = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    new SelectorEntry(loop) { // all in one step of the loop, in which no time is over
      @Override
      protected void begin() throws IOException {
        for (SocketChannel each : channels) {
          assertThat(LingeringClose.start(new Entry(loop, each), each, isNew)).isTrue();
        }
        channels.stream().filter(SocketChannel::isOpen).forEach(open::add);
        done.countDown();
      }

      @Override
      protected void ready(int readyOps) {}

      @Override
      protected void end(@Nullable Throwable cause) {}
    }.signal(SelectorEntry.CONNECT);
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    return open;
  }

  @AfterEach
  void endLoop() throws Exception {
    loop.shutdown();
    loop.thread().join(TimeUnit.SECONDS.toMillis(30));
    assertThat(loop.thread().isAlive()).isFalse();
    for (Closeable each : peers) {
      each.close();
    }
    assertThat(channels).noneMatch(SocketChannel::isOpen);
    assertThat(loop.lingering()).isEmpty();
  }

  @Test
  void shouldCloseTheOldestOfNewLinksThatAreTooMany() throws Exception {
    connect(LingeringClose.MOST_NEW + BEYOND);

    assertThat(openAfterAllLinger(true))
        .isEqualTo(channels.subList(BEYOND, BEYOND + LingeringClose.MOST_NEW));
  }

  @Test
  void shouldLetAllLingerThatAreNotNew() throws Exception {
    connect(LingeringClose.MOST_NEW + BEYOND);

    assertThat(openAfterAllLinger(false)).isEqualTo(channels);
  }

  @Test
  void shouldTakeALinkForNewUntilBothOfItsHandshakesAreOver() {
    long now = System.nanoTime();

    assertThat(loop.isNew(now)).isTrue();
    assertThat(loop.isNew(now - Duration.ofMinutes(119).toNanos())).isTrue();
    assertThat(loop.isNew(now - Duration.ofMinutes(121).toNanos())).isFalse();
  }
}
