package org.ringwire.heap;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** A receiver whose window is wider than the native memory that it has for it. */
final class PoorCarrierProgram {
  static final String LIMIT = "-XX:MaxDirectMemorySize=4m"; // three segments and some
  private static final int LENGTH = 3 << 20;
  private static final int GRAPHS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private PoorCarrierProgram() {}

  /** Prints OK if graphs that are longer than the memory arrive in what there is of it. */
  public static void main(String... words) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (MemoryCarrier left = new MemoryCarrier(1);
        MemoryCarrier right = new MemoryCarrier(2);
        Node one = node(1, directory);
        Node two = node(2, directory);
        HeapChannels writing = channels(one, left);
        HeapChannels reading = channels(two, right)) {
      CompletableFuture<Void> written =
          CompletableFuture.runAsync(() -> {
            for (int i = 0; i < GRAPHS; i++) {
              writing.to(2).writeObject(graph(i));
            }
          });
      for (int i = 0; i < GRAPHS; i++) {
        if (!Arrays.equals((int[]) reading.to(1).readObject(), graph(i))) {
          throw new AssertionError("another graph arrived");
        }
      }
      written.join();
      System.out.println("OK");
    }
  }

  private static int[] graph(int number) {
    int[] graph = new int[LENGTH];
    Arrays.setAll(graph, i -> i * 31 + number);
    return graph;
  }

  private static Node node(int id, NodeDirectory.Mutable directory) {
    directory.put(id, "poor-carrier-" + id);
    return Node.open(
        NodeConfig.builder(id)
            .transport("loopback")
            .listen("poor-carrier-" + id)
            .peers(directory)
            .keepAlive(PATIENCE) // as in PoorProgram
            .requestTimeout(PATIENCE)
            .build());
  }

  private static HeapChannels channels(Node node, BlockCarrier carrier) {
    ChannelOptions options =
        ChannelOptions.DEFAULT
            .withBlockBytes(65_536)
            .withWindowBytes(16 << 20)
            .withTimeout(PATIENCE);
    return HeapChannels.of(node, HeapCodec.builder().build(), options, carrier);
  }
}
