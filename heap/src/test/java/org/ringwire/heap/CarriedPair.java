package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/**
 * Two nodes of this process with carriers; closes what it opens, after which nothing is announced.
 */
final class CarriedPair {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<AutoCloseable> open = new ArrayList<>();

  /** Of node 1. */
  final MemoryCarrier left = owns(new MemoryCarrier(1));

  /** Of node 2. */
  final MemoryCarrier right = owns(new MemoryCarrier(2));

  /** Closes something at the end, before what was opened earlier. */
  <T extends AutoCloseable> T owns(T part) {
    open.add(part);
    return part;
  }

  Node node(int id) {
    NodeConfig config =
        NodeConfig.builder(id)
            .transport("loopback")
            .listen("carried-" + id + "-" + hashCode())
            .peers(directory)
            .requestTimeout(PATIENCE)
            .sendTimeout(PATIENCE)
            .build();
    Node node = owns(Node.open(config));
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  HeapChannels channels(int id, ChannelOptions options, BlockCarrier carrier) {
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    return owns(HeapChannels.of(node(id), codec, options, carrier));
  }

  /** Closes all, after which nothing may be announced. */
  void close() throws Exception {
    for (AutoCloseable part : open.reversed()) {
      part.close();
    }
    assertThat(left.announcedBytes).hasValue(0);
    assertThat(right.announcedBytes).hasValue(0);
  }
}
