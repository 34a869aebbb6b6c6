package org.ringwire.heap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** Nodes of one cluster in this process, with channels of small blocks; closes all of it. */
final class TestChannels implements AutoCloseable {

  /** How long a test waits for what must happen. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  static final ChannelOptions OPTIONS =
      ChannelOptions.DEFAULT.withBlockBytes(4096).withTimeout(PATIENCE);

  /** Carries to node 2. */
  final MemoryCarrier left = new MemoryCarrier(1);

  /** Carries to node 1. */
  final MemoryCarrier right = new MemoryCarrier(2);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<Node> nodes = new ArrayList<>();
  private final List<HeapChannels> all = new ArrayList<>();
  private final ChannelOptions options;

  TestChannels() {
    this(OPTIONS);
  }

  TestChannels(ChannelOptions options) {
    this.options = options;
  }

  /** The channels of a new node over loopback, without a carrier. */
  HeapChannels open(int id) {
    return open(id, null);
  }

  /** The channels of a new node over loopback. */
  HeapChannels open(int id, @Nullable BlockCarrier carrier) {
    return open(id, "loopback", carrier);
  }

  /** The channels of a new node. */
  HeapChannels open(int id, String transport, @Nullable BlockCarrier carrier) {
    String listen = transport.equals("tcp") ? "127.0.0.1:0" : "channels-" + id + "-" + hashCode();
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport(transport)
                .listen(listen)
                .peers(directory)
                .requestTimeout(PATIENCE)
                .build());
    nodes.add(node);
    directory.put(id, String.valueOf(node.address()));
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    HeapChannels channels =
        carrier == null
            ? HeapChannels.of(node, codec, options)
            : HeapChannels.of(node, codec, options, carrier);
    all.add(channels);
    return channels;
  }

  /** The node that was opened last goes. */
  void closeLast() {
    all.removeLast().close();
    nodes.removeLast().close();
  }

  @Override
  public void close() {
    all.reversed().forEach(HeapChannels::close);
    nodes.reversed().forEach(Node::close);
    left.close();
    right.close();
  }
}
