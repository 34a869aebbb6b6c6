package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.heap.channel.ChannelMessages.Announced;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Offer;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.testing.NodeWatcher;

/** A graph has arrived, and its sender cannot say of what was announced what it did not need. */
@ExtendWith(NodeWatcher.class)
class UnsentTruncateTest {
  private static final int SEGMENT = 4096;
  private static final int SEGMENTS = 4;

  private final CarriedPair pair = new CarriedPair();
  private final List<BlockCarrier.Announcement> announced = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    announced.forEach(BlockCarrier.Announcement::close);
    pair.close();
  }

  /** Its node is closed as soon as a graph has arrived. */
  private record Ending(BlockCarrier carrier, Node node) implements ForwardingCarrier {
    @Override
    public Target open(int nodeId, byte[] descriptor) {
      Target target = carrier.open(nodeId, descriptor);
      return new Target() {
        @Override
        public void write(long offset, MemorySegment block, int tag, Duration timeout) {
          target.write(offset, block, tag, timeout);
          node.close();
        }

        @Override
        public CompletionStage<Void> writeAsync(long offset, MemorySegment block, int tag) {
          return target.writeAsync(offset, block, tag);
        }
      };
    }
  }

  private Announced more() {
    List<Offer> offers = new ArrayList<>();
    for (int number = 1; number <= SEGMENTS; number++) {
      MemorySegment memory = Arena.ofAuto().allocate(SEGMENT);
      BlockCarrier.Announcement each = pair.right.announce(memory, (_, _) -> {});
      announced.add(each);
      offers.add(new Offer(number, SEGMENT, each.descriptor()));
    }
    return new Announced(true, offers);
  }

  @Test
  void shouldBeNoErrorOfTheGraph() {
    Node receiver = pair.node(2);
    receiver.handle(
        Open.class, Dispatch.INLINE, (_, exchange) -> exchange.reply(new Opened(0, 1 << 20)));
    receiver.handle(HeapRequest.class, Dispatch.BLOCKING, (_, exchange) -> exchange.reply(more()));
    Node node = pair.node(1);
    HeapCodec codec = HeapCodec.builder().build();
    HeapChannels channels =
        pair.owns(
            HeapChannels.of(node, codec, ChannelOptions.DEFAULT, new Ending(pair.left, node)));

    channels.to(2).writeObject("arrives");

    assertThat(pair.left.blocks).hasValue(1);
  }
}
