package org.ringwire.benchmarks.heap;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.ChannelOptions;
import org.ringwire.heap.HeapChannel;
import org.ringwire.heap.HeapChannels;
import org.ringwire.heap.HeapCodec;

/** The receiving process of {@link EndToEnd}: decodes, and says so. */
final class EndToEndPeer {
  static final int SENDER = 1;
  static final int RECEIVER = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private EndToEndPeer() {}

  /** A graph that a serializer has encoded. */
  record Image(String way, MemorySegment bytes) {}

  /** It was decoded. */
  record Decoded(int elements) {}

  /** What a way encodes with. */
  static String serializerOf(String way) {
    return way.equals("ringwire-whole") ? "ringwire" : way;
  }

  static HeapCodec codec() {
    return HeapCodec.builder()
        .accept(Graph.Point.class, Graph.Pair.class)
        .detectCycles(false)
        .maxBytes(1L << 30)
        .build();
  }

  static Node open(int id, NodeDirectory.Mutable directory) {
    return Node.open(
        NodeConfig.builder(id)
            .transport("tcp")
            .listen("127.0.0.1:0")
            .peers(directory)
            .lookup(MethodHandles.lookup())
            .maxMessageLength(1 << 28)
            .build());
  }

  /** Words: address of the sender, shape, elements. Ends with the sender. */
  public static void main(String[] words) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    directory.put(SENDER, words[0]);
    String shape = words[1];
    int elements = Integer.parseInt(words[2]);
    try (Node node = open(RECEIVER, directory);
        HeapChannels channels =
            HeapChannels.of(node, codec(), ChannelOptions.DEFAULT.withTimeout(PATIENCE))) {
      Map<String, Serializer> serializers = new HashMap<>();
      node.handle(
          Image.class,
          Dispatch.POOLED.inOrder(),
          (image, exchange) -> {
            Serializer serializer =
                serializers.computeIfAbsent(
                    image.way(), way -> Serializers.of(serializerOf(way), shape, elements, false));
            exchange.reply(new Decoded(lengthOf(serializer.decode(image.bytes()))));
          });
      HeapChannel channel = channels.to(SENDER);
      channel.writeObject(node.address());
      while (true) {
        channel.writeObject(
            lengthOf(Objects.requireNonNull(channel.readObject(Duration.ofHours(1)))));
      }
    }
  }

  private static int lengthOf(Object graph) {
    if (graph instanceof Collection<?> collection) {
      return collection.size();
    }
    return graph instanceof Map<?, ?> map ? map.size() : Array.getLength(graph);
  }
}
