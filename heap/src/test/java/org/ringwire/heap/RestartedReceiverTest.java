package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Check;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.testing.NodeWatcher;

/** Receivers that say, at a moment that the test chooses, that they know nothing of a stream. */
@ExtendWith(NodeWatcher.class)
class RestartedReceiverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long WINDOW = 1 << 16;
  private static final long ENOUGH = 1L << 40;
  private static final long NO_STREAM = -1;

  /** More than the pause after which a channel asks; if it gets longer, nothing changes. */
  private static final long PAUSE_MS = 300;

  private static final int LAST = 1;

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Node sender = node(1);
  private final Node receiver = node(2);
  private final HeapChannels channels =
      HeapChannels.of(
          sender,
          HeapCodec.builder().build(),
          ChannelOptions.DEFAULT.withBlockBytes(4096).withTimeout(PATIENCE));
  private final HeapChannel channel = channels.to(2);

  private final List<Long> streams = new CopyOnWriteArrayList<>();
  private final List<Long> streamsOfGraphs = new CopyOnWriteArrayList<>();
  private final AtomicInteger checks = new AtomicInteger();
  private volatile long known;

  /** How often the receiver forgets its stream when a block comes. */
  private final AtomicInteger restarts = new AtomicInteger();

  private Node node(int id) {
    String address = "restarted-" + id + "-" + System.identityHashCode(directory);
    directory.put(id, address);
    return Node.open(
        NodeConfig.builder(id).transport("loopback").listen(address).peers(directory).build());
  }

  RestartedReceiverTest() {
    receiver.handle(Open.class, Dispatch.INLINE, this::open);
    receiver.handle(Block.class, Dispatch.INLINE, this::block);
    receiver.handle(
        Check.class,
        (check, exchange) -> {
          checks.incrementAndGet();
          granted(check.stream(), exchange);
        });
    receiver.handle(Outcome.class, (_, exchange) -> exchange.reply(new Arrived(ENOUGH)));
    receiver.handle(Room.class, (room, exchange) -> granted(room.stream(), exchange));
  }

  private void open(Open open, Exchange exchange) {
    streams.add(open.stream());
    known = open.stream();
    exchange.reply(new Opened(WINDOW, WINDOW));
  }

  private void block(Block block, Exchange exchange) {
    if (restarts.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      known = 0;
    }
    boolean isKnown = block.stream() == known;
    if (isKnown && (block.flags() & LAST) != 0) {
      streamsOfGraphs.add(block.stream());
    }
    if (exchange.isRequest()) {
      exchange.reply(new Arrived(isKnown ? ENOUGH : NO_STREAM));
    }
  }

  private void granted(long stream, Exchange exchange) {
    exchange.reply(new Granted(stream == known ? ENOUGH : NO_STREAM));
  }

  @AfterEach
  void close() {
    channels.close();
    receiver.close();
    sender.close();
  }

  @Test
  void shouldWriteAgainWhatNobodyHasTaken() {
    channel.writeObject("before");
    restarts.set(1);

    channel.writeObject("after");

    assertThat(streams).hasSize(2).doesNotHaveDuplicates();
    assertThat(streamsOfGraphs).isEqualTo(streams);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldWriteAgainWhatWasRefusedInTheMiddle(boolean waits) {
    channel.writeObject("before");
    restarts.set(1);
    long[] longerThanTheWindow = new long[1 << 15];

    if (waits) {
      channel.writeObject(longerThanTheWindow);
    } else {
      Object _ = channel.writeObjectAsync(longerThanTheWindow);
      channel.writeObject("behind it");
    }

    assertThat(streams).hasSize(2).doesNotHaveDuplicates();
    assertThat(streamsOfGraphs).startsWith(streams.get(0), streams.get(1));
  }

  @Test
  void shouldReportAGraphThatIsRefusedTwice() {
    channel.writeObject("before");
    restarts.set(2);

    assertThatThrownBy(() -> channel.writeObject("lost"))
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("nodeId=2: the stream has ended");
    channel.writeObject("after");

    assertThat(streams).hasSize(3).doesNotHaveDuplicates();
    assertThat(streamsOfGraphs).containsExactly(streams.get(0), streams.get(2));
  }

  @Test
  void shouldIterateOnceOverWhatMayNotBeThereTwice() {
    channel.writeObject("before");
    AtomicInteger iterations = new AtomicInteger();
    Iterable<Object> elements =
        () -> {
          iterations.incrementAndGet();
          restarts.set(1);
          return List.<Object>of("a", "b").iterator();
        };

    assertThatThrownBy(() -> channel.writeIterable(elements))
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("the stream has ended");
    assertThat(iterations).hasValue(1);
    channel.writeIterable(new Object[] {"a", "b"});
    assertThat(streamsOfGraphs).isEqualTo(streams);
  }

  /**
   * What cannot be written twice is written when the receiver has said that it knows the stream.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldAskAfterAPauseBeforeItWrites(boolean hasRestarted) throws Exception {
    channel.writeObject("before");
    if (hasRestarted) {
      known = 0;
    }
    Thread.sleep(PAUSE_MS);
    channel.writeIterable(List.of("a"));
    if (hasRestarted) {
      known = 0;
    }
    Thread.sleep(PAUSE_MS);
    Object _ = channel.writeObjectAsync("after");
    channel.writeObject("behind it");

    assertThat(streams).hasSize(hasRestarted ? 3 : 1).doesNotHaveDuplicates();
    assertThat(streamsOfGraphs).hasSize(4).containsAll(streams);
  }

  /** Its round trip would come before each graph of who writes now and then. */
  @Test
  void shouldNotAskBeforeWhatIsWrittenAgainWhenItIsRefused() throws Exception {
    channel.writeObject("before");
    Thread.sleep(PAUSE_MS);
    channel.writeObject("after");

    assertThat(checks).hasValue(0);
    assertThat(streams).hasSize(1);
  }
}
