package org.ringwire.heap;

import java.util.ArrayList;
import java.util.List;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** A node that many others send graphs to, one after the other. */
final class ManySendersProgram {
  static final String LIMIT = "-XX:MaxDirectMemorySize=64m";
  private static final int SENDERS = 30;
  private static final int BYTES = 4 << 20;

  private ManySendersProgram() {}

  /** Prints OK if there was memory for all. */
  public static void main(String... words) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    List<AutoCloseable> open = new ArrayList<>();
    HeapChannels receiver = channels(1, directory, open);
    for (int id = 2; id < 2 + SENDERS; id++) {
      channels(id, directory, open).to(1).writeObject(new byte[BYTES]);
      if (!(receiver.to(id).readObject() instanceof byte[] graph && graph.length == BYTES)) {
        throw new AssertionError("another graph: nodeId=" + id);
      }
    }
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
    System.out.println("OK");
  }

  private static HeapChannels channels(
      int id, NodeDirectory.Mutable directory, List<AutoCloseable> open) {
    directory.put(id, "many-" + id);
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("loopback")
                .listen("many-" + id)
                .peers(directory)
                .build());
    open.add(node);
    HeapChannels channels = HeapChannels.of(node, HeapCodec.builder().build());
    open.add(channels);
    return channels;
  }
}
