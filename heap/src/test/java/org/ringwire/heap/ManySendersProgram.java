package org.ringwire.heap;

import java.util.ArrayList;
import java.util.List;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** A node that many others send graphs to, or that sends to many, one after the other. */
final class ManySendersProgram {
  static final String LIMIT = "-XX:MaxDirectMemorySize=128m";
  private static final int OTHERS = 60;
  private static final int BYTES = 8 << 20;

  private ManySendersProgram() {}

  /** Words: from or to, as seen by the many. Prints OK if there was memory for all. */
  public static void main(String... words) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    List<AutoCloseable> open = new ArrayList<>();
    HeapChannels one = channels(1, directory, open);
    for (int id = 2; id < 2 + OTHERS; id++) {
      HeapChannels other = channels(id, directory, open);
      if (words[0].equals("from")) {
        other.to(1).writeObject(new byte[BYTES]);
        require(one.to(id).readObject() instanceof byte[] graph && graph.length == BYTES);
      } else {
        one.to(id).writeObject("x".repeat(BYTES)); // longer than a block, and in one piece
        require(other.to(1).readObject() instanceof String text && text.length() == BYTES);
        open.removeLast().close(); // what the others keep does not count
        open.removeLast().close();
      }
    }
    for (AutoCloseable opened : open.reversed()) {
      opened.close();
    }
    System.out.println("OK");
  }

  private static void require(boolean isSame) {
    if (!isSame) {
      throw new AssertionError("another graph arrived");
    }
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
