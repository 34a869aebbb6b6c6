package org.ringwire.heap;

import java.time.Duration;
import java.util.Iterator;
import java.util.stream.Stream;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** One end of a channel in a JVM of its own, with other flags, or to die. */
final class ChannelProgram {
  static final int NODE_ID = 2;
  static final int TEST_ID = 1;
  static final int GRAPHS = 60;
  private static final int BLOCK_BYTES = 16_384;

  private ChannelProgram() {}

  /** Words: echo, die-writing or die-reading; the address of the test's node. */
  public static void main(String... words) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    directory.put(TEST_ID, words[1]);
    NodeConfig config =
        NodeConfig.builder(NODE_ID).transport("tcp").listen("127.0.0.1:0").peers(directory).build();
    ChannelOptions options =
        ChannelOptions.DEFAULT
            .withBlockBytes(BLOCK_BYTES)
            .withWindowBytes(1 << 20)
            .withTimeout(Duration.ofSeconds(60));
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    try (Node node = Node.open(config);
        HeapChannels channels = HeapChannels.of(node, codec, options)) {
      HeapChannel channel = channels.to(TEST_ID);
      channel.writeObject(node.address());
      switch (words[0]) {
        case "echo" -> echo(channel);
        case "die-writing" -> channel.writeIterable(() -> deadly(node));
        case "die-reading" -> {
          while (!channel.isReadable()) {
            Thread.onSpinWait();
          }
          Runtime.getRuntime().halt(3);
        }
        default -> throw new IllegalArgumentException(words[0]);
      }
    }
  }

  private static void echo(HeapChannel channel) {
    Object[] litter = new Object[64];
    for (int i = 0; i < GRAPHS; i++) {
      Object graph = channel.readObject();
      litter[i % litter.length] = new byte[1 << 18];
      if (i % 10 == 0) {
        System.gc();
      }
      channel.writeObject(graph);
    }
  }

  /** Many elements, and the end of the process when some of them have left it. */
  private static Iterator<Object> deadly(Node node) {
    long before = node.metrics().bytesSent();
    return Stream.<Object>concat(
            Stream.generate(() -> new Samples.Pair(1, "word")).limit(20_000),
            Stream.generate(() -> {
              while (node.metrics().bytesSent() - before < 2 * BLOCK_BYTES) {
                Thread.onSpinWait();
              }
              Runtime.getRuntime().halt(3);
              return "";
            }))
        .iterator();
  }
}
