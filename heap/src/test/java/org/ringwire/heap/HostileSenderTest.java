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
import org.ringwire.heap.channel.ChannelMessages.Announced;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.heap.image.classes.DeclaredClasses;
import org.ringwire.testing.NodeWatcher;

/** Senders that say what no channel says. */
@ExtendWith(NodeWatcher.class)
class HostileSenderTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int LAST = 1;
  private static final int MANY = 4;

  /** Streams that have ended and have graphs which nobody has read. */
  private static final int MOST_ENDED = 1024;

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

  /** Announces nothing, and says so in its own way. */
  private static final class PoorCarrier implements BlockCarrier {
    @Override
    public String kind() {
      return "poor";
    }

    @Override
    public Announcement announce(MemorySegment memory, Listener listener) {
      throw new IllegalStateException("nothing here");
    }

    @Override
    public Target open(int nodeId, byte[] descriptor) {
      throw new IllegalArgumentException("nothing there");
    }
  }

  @Test
  void shouldKeepTheWindowWhateverACarrierThrows() {
    open.add(HeapChannels.of(node(1), codec, ChannelOptions.DEFAULT, new PoorCarrier()));
    Node sender = node(2);
    Opened opened = sender.request(1, new Open(7, 1), Opened.class, PATIENCE);
    HeapRequest request = new HeapRequest(7, "poor", 1, false, 0);

    assertThatThrownBy(() -> sender.request(1, request, Announced.class, PATIENCE))
        .isInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining("nothing here");

    Granted granted = sender.request(1, new Room(7, 0, false), Granted.class, PATIENCE);
    assertThat(granted.granted()).isEqualTo(opened.window());
  }

  /** Each would keep what a stream needs, of which the window knows nothing. */
  @Test
  void shouldBeginNoMoreStreamsThanTheirGraphsAreRead() {
    HeapChannel receiver = channels(node(1), ChannelOptions.DEFAULT).to(2);
    Node sender = node(2);
    MemorySegment one = MemorySegment.ofArray(new byte[1]);
    for (long stream = 1; stream <= MOST_ENDED; stream++) {
      begin(sender, stream, one);
    }
    long last = MOST_ENDED + 1;
    Open next = new Open(last, 1);

    assertThatThrownBy(() -> sender.request(1, next, Opened.class, PATIENCE))
        .isInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining("nobody has read");
    assertThatThrownBy(receiver::readObject).isInstanceOf(DecodingException.class);
    begin(sender, last, one);
    assertThat(receiver.isReadable()).isTrue();
  }

  private static void begin(Node sender, long stream, MemorySegment image) {
    Object _ = sender.request(1, new Open(stream, 1), Opened.class, PATIENCE);
    Block block = new Block(stream, 1, 0, LAST, image, MemorySegment.NULL);
    Object _ = sender.request(1, block, Arrived.class, PATIENCE);
  }
}
