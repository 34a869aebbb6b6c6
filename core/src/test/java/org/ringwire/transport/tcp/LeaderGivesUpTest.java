package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.selector.LeaderMoments;
import org.ringwire.transport.selector.LeaderResources;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.selector.SelectorLoop;

/** The I/O thread leaves the input to a thread that wants to lead, and that gives up then. */
@ExtendWith(NodeWatcher.class)
class LeaderGivesUpTest {

  private static final int LENGTH = 10_000;
  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));

  private final SelectorLoop loop = SelectorLoop.start(CONFIG, "test", 0);
  private final LeaderResources leaders = new LeaderResources(CONFIG.idleStrategy(), 4096);
  private SocketChannel peer;
  private SocketChannel channel;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      peer = SocketChannel.open(listener.getLocalAddress());
      channel = listener.accept();
    }
    channel.configureBlocking(false);
  }

  @AfterEach
  void disconnect() throws Exception {
    loop.shutdown();
    loop.thread().join(TimeUnit.SECONDS.toMillis(30));
    assertThat(loop.thread().isAlive()).isFalse();
    peer.close();
    leaders.close();
  }

  /** Keeps all that comes for later; somebody wants to lead just then. */
  private static final class Keeping extends ProbeHandler {

    private volatile boolean rest;

    @Override
    protected void input(MemorySegment memory, long offset, long length) {
      rest = true;
      LeaderMoments.want((TcpLink) link(), true);
    }

    @Override
    public boolean hasRest() {
      return rest;
    }

    @Override
    public void handleRest() {
      rest = false;
    }
  }

  /** Waits for its turn. */
  private static final class Turn extends SelectorEntry {

    private final CountDownLatch over = new CountDownLatch(1);

    Turn(SelectorLoop loop) {
      super(loop);
    }

    @Override
    protected void watchRead() {
      over.countDown();
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected void end(@Nullable Throwable cause) {}
  }

  private TcpLink open(ProbeHandler handler) {
    TcpLink link = TcpLink.connected(loop, leaders, channel, handler);
    assertThat(link.signal(SelectorEntry.CONNECT)).isTrue();
    assertThat(handler.link()).isSameAs(link);
    return link;
  }

  @Test
  void shouldHandleARestThoughNothingComes() throws Exception {
    Keeping handler = new Keeping();
    TcpLink link = open(handler);
    peer.write(ByteBuffer.wrap(new byte[] {PatternSource.at(0)}));
    await("there is a rest", () -> handler.rest);
    giveUp(link);
    await("the rest is handled", () -> !handler.rest);
  }

  @Test
  void shouldReadTheLastWordOfAPeerThatTakesNoMore() throws Exception {
    ProbeHandler handler = new ProbeHandler();
    TcpLink link = open(handler);
    LeaderMoments.want(link, true);
    try (PatternSource source = new PatternSource(1, 1000)) {
      source.offer(link, LENGTH); // unread at the peer, so that its close resets the connection
      ByteBuffer words = ByteBuffer.allocate(LENGTH);
      for (int i = 0; i < LENGTH; i++) {
        words.put(PatternSource.at(i));
      }
      peer.write(words.flip());
      peer.close();
      await("it takes no more", () -> fails(source, link));
      link.close();
      giveUp(link);
      assertThat(handler.cause()).isNotNull();
      assertThat(handler.received()).isEqualTo(LENGTH);
    }
  }

  /** When the I/O thread has found that somebody wants to lead. */
  private void giveUp(TcpLink link) throws InterruptedException {
    for (int turns = 0; turns < 3; turns++) {
      Turn turn = new Turn(loop);
      assertThat(turn.signal(SelectorEntry.READ)).isTrue();
      assertThat(turn.over.await(30, TimeUnit.SECONDS)).isTrue();
    }
    LeaderMoments.want(link, false);
  }

  private static boolean fails(PatternSource source, TcpLink link) {
    try {
      source.offer(link, 10);
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
