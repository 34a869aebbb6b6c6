package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.RemoteHandlerException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.image.DeclaredClasses;
import org.ringwire.testing.NodeWatcher;

/** Senders that say what no channel says. */
@ExtendWith(NodeWatcher.class)
class HostileSenderTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int LAST = 1;
  private static final int MANY = 4;

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private Node node(int id) {
    NodeConfig config =
        NodeConfig.builder(id)
            .transport("loopback")
            .listen("hostile-" + id + "-" + hashCode())
            .peers(directory)
            .requestTimeout(PATIENCE)
            .sendTimeout(PATIENCE)
            .build();
    Node node = Node.open(config);
    open.add(node);
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private HeapChannels channels(Node node, ChannelOptions options) {
    HeapChannels channels = HeapChannels.of(node, codec, options.withTimeout(PATIENCE));
    open.add(channels);
    return channels;
  }

  @Test
  void shouldRefuseGraphsOfNothing() {
    HeapChannel receiver = channels(node(1), ChannelOptions.DEFAULT).to(2);
    Node sender = node(2);
    Object _ = sender.request(1, new Open(7, 1), Opened.class, PATIENCE);
    MemorySegment nothing = MemorySegment.NULL;

    assertThatThrownBy(() ->
            sender.request(1, new Block(7, 1, 0, LAST, nothing, nothing), Arrived.class, PATIENCE))
        .isInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining("no block");
    assertThat(receiver.isReadable()).isFalse();
  }

  @Test
  void shouldRefuseOneGraphThatSaysItIsMany() {
    HeapChannel receiver = channels(node(1), ChannelOptions.DEFAULT).to(2);
    Node sender = node(2);
    Object _ = sender.request(1, new Open(7, 1), Opened.class, PATIENCE);
    MemorySegment[] image = new MemorySegment[1];
    codec.channelEncoder(new DeclaredClasses()).stream(
        "text",
        4096,
        (head, body, isLast) ->
            image[0] = MemorySegment.ofArray(head.toArray(ValueLayout.JAVA_BYTE)));
    Block block = new Block(7, 1, 0, LAST | MANY, image[0], MemorySegment.NULL);
    Object _ = sender.request(1, block, Arrived.class, PATIENCE);

    assertThatThrownBy(receiver::readIterable).isInstanceOf(DecodingException.class);
  }
}
