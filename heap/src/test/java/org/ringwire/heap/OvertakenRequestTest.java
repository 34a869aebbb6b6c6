package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.testing.NodeWatcher;

/**
 * A sender asks for room, and its receiver handles an older request after that, of which the sender
 * does not wait for the answer any more: it takes it for the newer one.
 */
@ExtendWith(NodeWatcher.class)
class OvertakenRequestTest {
  private static final long WINDOW = 1 << 20;
  private static final String ASKED_ANEW = "its sender has asked anew";

  private final CarriedPair pair = new CarriedPair();
  private final List<Room> asked = new ArrayList<>(); // by the thread that reads
  private int overtakes;

  @AfterEach
  void close() throws Exception {
    pair.close();
  }

  private HeapChannel toReceiver() {
    Node receiver = pair.node(2);
    receiver.handle(
        Open.class, Dispatch.INLINE, (_, exchange) -> exchange.reply(new Opened(0, WINDOW)));
    receiver.handle(
        Block.class, Dispatch.INLINE, (_, exchange) -> exchange.reply(new Arrived(WINDOW)));
    receiver.handle(
        Room.class,
        Dispatch.INLINE,
        (room, exchange) -> {
          asked.add(room);
          if (asked.size() <= overtakes) {
            exchange.fail(ASKED_ANEW);
          } else {
            exchange.reply(new Granted(WINDOW));
          }
        });
    HeapCodec codec = HeapCodec.builder().build();
    return pair.owns(HeapChannels.of(pair.node(1), codec)).to(2);
  }

  @Test
  void shouldAskAgain() {
    overtakes = 1;

    toReceiver().writeObject("a graph");

    assertThat(asked).hasSize(2);
  }

  @Test
  void shouldNotAskForEver() {
    overtakes = Integer.MAX_VALUE;
    HeapChannel channel = toReceiver();

    assertThatThrownBy(() -> channel.writeObject("a graph"))
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining(ASKED_ANEW);
  }
}
