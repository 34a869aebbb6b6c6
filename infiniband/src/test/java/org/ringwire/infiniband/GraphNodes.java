package org.ringwire.infiniband;

import static org.ringwire.infiniband.RemoteMemoryPair.PATIENCE;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.ChannelOptions;
import org.ringwire.heap.HeapChannels;
import org.ringwire.heap.HeapCodec;

/** Nodes over {@code ib} that write graphs into each other's memory. */
final class GraphNodes implements AutoCloseable {
  final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<AutoCloseable> open = new ArrayList<>();

  /** What tests send. */
  static final class Pair {
    int number;
    char[] word;
    @Nullable Object next;

    Pair(int number) {
      this.number = number;
      this.word = "abcde".toCharArray();
    }

    static Pair[] array(int length) {
      Pair[] pairs = new Pair[length];
      for (int i = 0; i < length; i++) {
        pairs[i] = new Pair(i);
      }
      return pairs;
    }
  }

  static ChannelOptions options() {
    return ChannelOptions.DEFAULT.withTimeout(PATIENCE);
  }

  static HeapCodec codec() {
    return HeapCodec.builder().acceptPackage("org.ringwire.infiniband").build();
  }

  /** The channels of a new node, over remote memory or with messages. */
  HeapChannels channels(int id, ChannelOptions options, boolean carries) {
    Node node = add(RemoteMemoryPair.node(directory, id));
    if (!carries) {
      return add(HeapChannels.of(node, codec(), options));
    }
    RemoteMemory memory = add(RemoteMemory.of(node));
    return add(HeapChannels.of(node, codec(), options, new RemoteMemoryCarrier(memory)));
  }

  <T extends AutoCloseable> T add(T resource) {
    open.add(Objects.requireNonNull(resource));
    return resource;
  }

  @Override
  public void close() {
    for (AutoCloseable resource : open.reversed()) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    open.clear();
  }
}
