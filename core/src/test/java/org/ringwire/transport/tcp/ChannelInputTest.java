package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

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
import org.ringwire.transport.SlowHandlers;
import org.ringwire.transport.selector.LeaderResources;
import org.ringwire.transport.selector.LinkReader;
import org.ringwire.transport.selector.ReadBuffer;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.TurnPace;

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

  /** And nothing has to come for what it has left. */
  @Test
  void shouldEndATurnOfSlowHandlersInTimeAndReadOnWithoutNewInput() throws IOException {
    CountingHandler handler = new CountingHandler();
    LinkReader reader = newReader(handler);
    try (ReadBuffer large = new ReadBuffer(ReadBuffer.LOOP_CAPACITY)) {
      long sent = fill();
      SlowHandlers.slowDown(handler);
      assertThat(reader.readOnLoop(large, true)).isBetween(1L, (long) TurnPace.FIRST);
      for (int turn = 0; turn < 10; turn++) {
        assertThat(reader.readOnLoop(large, true)).isBetween(1L, SlowHandlers.MOST_OF_A_TURN);
      }
      handler.eachTime(() -> {});
      await(
          "the rest is read",
          () -> {
            read(reader, large);
            return handler.bytes() == sent;
          });
      peer.close();
      await(
          "the end is read",
          () -> {
            read(reader, large);
            return reader.isInputEnded();
          });
      reader.close();
    }
    assertThat(handler.calls()).isGreaterThan(10);
  }

  /** Each of them is all that there is, and less than a first piece. */
  @Test
  void shouldLearnHowSlowHandlersAreFromShortPiecesToo() throws IOException {
    CountingHandler handler = new CountingHandler();
    LinkReader reader = newReader(handler);
    SlowHandlers.slowDown(handler);
    int half = TurnPace.FIRST / 2;
    long[] most = new long[1];
    for (int sent = half; sent <= 4 * half; sent += half) {
      peer.write(ByteBuffer.allocate(half));
      most[0] = 0;
      int all = sent;
      await(
          "all is read",
          () -> {
            long before = handler.bytes();
            read(reader, loopBuffer);
            most[0] = Math.max(most[0], handler.bytes() - before);
            return handler.bytes() == all;
          });
    }
    assertThat(most[0]).as("of the last ones").isBetween(1L, SlowHandlers.MOST_OF_A_TURN);
    reader.close();
  }

  /** A thread that waits for a response has a deadline, and may find its response in the middle. */
  @Test
  void shouldLookAtTheConditionOfALeaderBetweenTurnsOfSlowHandlers() throws IOException {
    CountingHandler handler = new CountingHandler();
    try (LeaderResources leaders =
        new LeaderResources(new IdleStrategy(LIMIT.toNanos()), ReadBuffer.LEADER_CAPACITY)) {
      LinkReader reader = newReader(handler, leaders);
      long sent = fill();
      SlowHandlers.slowDown(handler);
      boolean led =
          reader.lead(
              () -> handler.calls() > 0, System.nanoTime() + LIMIT.toNanos(), () -> {}, () -> {});
      assertThat(led).isTrue();
      assertThat(handler.bytes()).isBetween(1L, (long) TurnPace.FIRST);
      handler.eachTime(() -> {});
      led =
          reader.lead(
              () -> handler.bytes() == sent,
              System.nanoTime() + LIMIT.toNanos(),
              () -> {},
              () -> {});
      assertThat(led).isTrue();
      assertThat(handler.bytes()).isEqualTo(sent);
      reader.close();
    }
  }

  private static void read(LinkReader reader, ReadBuffer buffer) {
    try {
      long _ = reader.readOnLoop(buffer, true);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends as much as the channel takes, and says how much. */
  private long fill() throws IOException {
    peer.configureBlocking(false);
    ByteBuffer much = ByteBuffer.allocate(64 << 10);
    long sent = 0;
    for (int length = 1; length > 0; sent += length) {
      length = peer.write(much.clear());
    }
    assertThat(sent).as("much").isGreaterThan(64 << 10);
    return sent;
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
