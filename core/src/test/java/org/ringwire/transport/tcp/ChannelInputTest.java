package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.CountingHandler;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.LeaderResources;
import org.ringwire.transport.selector.LinkReader;
import org.ringwire.transport.selector.ReadBuffer;
import org.ringwire.transport.support.Gate;

/**
 * The real input, with its reader, over a real channel, with the threads' turns in a fixed order.
 */
@ExtendWith(NodeWatcher.class)
class ChannelInputTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int LOOKS = 1_000;

  private final LeaderResources resources =
      new LeaderResources(new IdleStrategy(LIMIT.toNanos()), 4096); // no leader parks here
  private final ReadBuffer loopBuffer = new ReadBuffer(4096);
  private SocketChannel peer;
  private SocketChannel channel;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      peer = SocketChannel.open(listener.getLocalAddress());
      channel = listener.accept();
    }
    peer.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
  }

  @AfterEach
  void disconnect() throws IOException {
    peer.close();
    channel.close();
    resources.close();
    loopBuffer.close();
  }

  /** Between the failure on the I/O thread and the end of the link, a thread comes to lead. */
  @Test
  void shouldHandNothingToAHandlerThatHasFailed() throws IOException {
    CountingHandler handler = new CountingHandler();
    handler.refuse(true);
    LinkReader reader = newReader(handler);
    send('a');
    assertThatThrownBy(() -> readOnLoop(reader)).hasMessage("refused");
    send('b');
    int[] looks = new int[1];
    boolean led =
        reader.lead(
            () -> handler.calls() > 1 || ++looks[0] > LOOKS,
            System.nanoTime() + LIMIT.toNanos(),
            () -> {},
            () -> {});
    assertThat(led).isTrue();
    assertThat(looks[0]).isGreaterThan(LOOKS);
    assertThat(handler.calls()).isOne();
    assertThat(reader.readOnLoop(loopBuffer, true)).isZero();
    assertThat(handler.calls()).isOne();
    assertThat(reader.hasFailed()).isTrue();
    reader.close();
    channel.configureBlocking(true);
    ByteBuffer left = ByteBuffer.allocate(2);
    assertThat(channel.read(left)).isOne();
    assertThat(left.get(0)).isEqualTo((byte) 'b');
  }

  private void send(char letter) throws IOException {
    peer.write(ByteBuffer.wrap(new byte[] {(byte) letter}));
  }

  /** Until there was input: a byte is on its way for a moment. */
  private void readOnLoop(LinkReader reader) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (reader.readOnLoop(loopBuffer, true) == 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  /** The link is good: the I/O thread has a buffer of its own. */
  @Test
  void shouldNotLeadWithoutMemoryAndReadAllTheSame() throws IOException {
    CountingHandler handler = new CountingHandler();
    try (LeaderResources starved =
        new LeaderResources(
            new IdleStrategy(LIMIT.toNanos()),
            4096,
            _ -> {
              throw new OutOfMemoryError("by the test");
            })) {
      LinkReader reader = newReader(handler, starved);
      send('a');
      boolean led =
          reader.lead(() -> false, System.nanoTime() + LIMIT.toNanos(), () -> {}, () -> {});
      assertThat(led).isFalse();
      assertThat(reader.hasFailed()).isFalse();
      readOnLoop(reader);
      assertThat(handler.calls()).isOne();
      reader.close();
    }
  }

  private LinkReader newReader(LinkHandler handler) {
    return newReader(handler, resources);
  }

  private LinkReader newReader(LinkHandler handler, LeaderResources leaders) {
    Gate gate = new Gate();
    LinkReader reader =
        new LinkReader(
            leaders, channel, new ChannelInput(channel, "peer", handler, gate), gate, _ -> {});
    reader.open();
    return reader;
  }
}
