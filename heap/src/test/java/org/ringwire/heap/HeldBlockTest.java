package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Inquiry;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.ChannelMessages.WritingState;
import org.ringwire.testing.NodeWatcher;

/**
 * The last blocks of a graph are lost with a connection, and its sender, who does not know that,
 * asks over the next one whether it has arrived: here by a node between both, which keeps them.
 */
@ExtendWith(NodeWatcher.class)
class HeldBlockTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Node sender = node(1);
  private final Node between = node(2);
  private final Node receiver = node(3);
  private final HeapChannels from = channels(sender);
  private final HeapChannels to = channels(receiver);

  private static HeapChannels channels(Node node) {
    return HeapChannels.of(
        node,
        HeapCodec.builder().build(),
        ChannelOptions.DEFAULT.withBlockBytes(4096).withTimeout(PATIENCE));
  }

  private Node node(int id) {
    String address = "held-" + id + "-" + System.identityHashCode(directory);
    directory.put(id, address);
    return Node.open(
        NodeConfig.builder(id).transport("loopback").listen(address).peers(directory).build());
  }

  @AfterEach
  void close() {
    from.close();
    to.close();
    sender.close();
    between.close();
    receiver.close();
  }

  @Test
  void shouldFindThatTheRestOfAGraphIsLostThoughItsSenderStillWaits() {
    between.handle(
        Open.class,
        (open, exchange) -> exchange.reply(between.request(3, open, Opened.class, PATIENCE)));
    between.handle(
        Block.class,
        Dispatch.POOLED.inOrder(),
        (block, _) -> {
          if (block.index() == 0) {
            between.send(3, block);
          }
        });
    between.handle(
        Outcome.class,
        (outcome, _) -> {
          CompletableFuture<Arrived> _ = between.requestAsync(3, outcome, Arrived.class);
        });
    between.handle(Inquiry.class, (_, exchange) -> exchange.reply(new WritingState(true)));

    WriteHandle _ = from.to(2).writeObjectAsync(new long[1 << 12]); // some blocks

    assertThatThrownBy(() -> to.to(2).readObject())
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("blocks of it were lost");
  }
}
