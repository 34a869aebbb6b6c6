package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RetainedExchange;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Check;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.Inquiry;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.heap.channel.ChannelMessages.WritingState;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** What a sender says of graphs whose blocks its node has, and the receiver may not. */
@ExtendWith(NodeWatcher.class)
class WritingStateTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long ENOUGH = 1L << 40;

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Node sender = node(1);
  private final Node receiver = node(2);
  private final HeapChannels channels =
      HeapChannels.of(
          sender,
          HeapCodec.builder().build(),
          ChannelOptions.DEFAULT.withBlockBytes(4096).withTimeout(PATIENCE));
  private final HeapChannel channel = channels.to(2);

  private final AtomicLong stream = new AtomicLong();
  private final Map<Long, RetainedExchange> waiting = new ConcurrentHashMap<>();

  private Node node(int id) {
    String address = "writing-" + id + "-" + System.identityHashCode(directory);
    directory.put(id, address);
    return Node.open(
        NodeConfig.builder(id).transport("loopback").listen(address).peers(directory).build());
  }

  WritingStateTest() {
    receiver.handle(
        Open.class,
        Dispatch.INLINE,
        (open, exchange) -> {
          stream.set(open.stream());
          exchange.reply(new Opened(ENOUGH, ENOUGH));
        });
    receiver.handle(
        Block.class,
        Dispatch.INLINE,
        (_, exchange) -> {
          if (exchange.isRequest()) {
            exchange.reply(new Arrived(ENOUGH));
          }
        });
    receiver.handle(
        Outcome.class, (outcome, exchange) -> waiting.put(outcome.graph(), exchange.retain()));
    receiver.handle(Check.class, (_, exchange) -> exchange.reply(new Granted(ENOUGH)));
    receiver.handle(Room.class, (_, exchange) -> exchange.reply(new Granted(ENOUGH)));
  }

  @AfterEach
  void close() {
    waiting.values().forEach(RetainedExchange::close);
    channels.close();
    receiver.close();
    sender.close();
  }

  private boolean isWriting(long graph) {
    Inquiry inquiry = new Inquiry(stream.get(), graph);
    return receiver.request(1, inquiry, WritingState.class, PATIENCE).isWriting();
  }

  private void arrived(long graph) {
    Awaiting.await("the question for graph " + graph, () -> waiting.containsKey(graph));
    try (RetainedExchange exchange = waiting.remove(graph)) {
      exchange.reply(new Arrived(ENOUGH));
    }
  }

  private WriteHandle write() {
    return channel.writeObjectAsync(new long[1 << 12]); // some blocks
  }

  @Test
  void shouldBeWritingUntilAllIsKnownToHaveArrived() {
    WriteHandle handle = write();
    assertThat(isWriting(1)).isTrue();

    arrived(1);
    Awaiting.await("its arrival", () -> channel.testHandle(handle));
    Awaiting.await("its end", () -> !isWriting(1));
  }

  /** All of them may be in the rings of the node, one behind the other. */
  @Test
  void shouldBeWritingSeveralGraphsOfWhichNoneIsKnownToHaveArrived() {
    WriteHandle first = write();
    WriteHandle second = write();
    channel.writeObject("third");
    assertThat(isWriting(1)).isTrue();
    assertThat(isWriting(2)).isTrue();
    assertThat(isWriting(3)).isFalse();

    arrived(1);
    Awaiting.await("its arrival", () -> channel.testHandle(first));
    Awaiting.await("its end", () -> !isWriting(1));
    assertThat(isWriting(2)).isTrue();
    arrived(2);
    Awaiting.await("the other one", () -> channel.testHandle(second));
    Awaiting.await("its end, too", () -> !isWriting(2));
  }

  /** Nothing more is written, but what was written may still be on its way. */
  @Test
  void shouldBeWritingWhenItsChannelWasClosedUntilAllIsKnownToHaveArrived() {
    WriteHandle handle = write();
    channel.close();
    assertThat(isWriting(1)).isTrue();

    arrived(1);
    Awaiting.await("its arrival", () -> channel.testHandle(handle));
    Awaiting.await("nothing of it is kept", this::isForgotten);
  }

  private boolean isForgotten() {
    try {
      return !isWriting(1);
    } catch (RemoteHandlerException e) {
      return e.getMessage().contains("the stream has ended");
    }
  }
}
