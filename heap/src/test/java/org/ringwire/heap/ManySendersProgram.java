package org.ringwire.heap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** A node that many others send graphs to, or that sends to many, one after the other. */
final class ManySendersProgram {
  static final String LIMIT = "-XX:MaxDirectMemorySize=128m";
  private static final int OTHERS = 60;
  private static final int CARRYING =
      20; // each has a megabyte to write from, and two to write into
  private static final int BYTES = 8 << 20;
  private static final int OBJECTS = 150_000; // a list of them has 2 MiB
  private static final long MOST_KEPT = 110 << 20; // 64 MiB, and what channels and links have

  private ManySendersProgram() {}

  /**
   * Words: from, carried, which is from with carriers, or to, as seen by the many, or objects.
   * Prints OK if there was memory for all.
   */
  public static void main(String... words) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    List<AutoCloseable> open = new ArrayList<>();
    boolean isCarried = words[0].equals("carried");
    HeapChannels one = channels(1, directory, open, isCarried);
    if (words[0].equals("objects")) {
      readObjects(one, directory, open);
      return;
    }
    for (int id = 2; id < 2 + (isCarried ? CARRYING : OTHERS); id++) {
      HeapChannels other = channels(id, directory, open, isCarried);
      if (isCarried || words[0].equals("from")) {
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

  /** What one node keeps of graphs of many objects from many nodes, which have gone since. */
  private static void readObjects(
      HeapChannels one, NodeDirectory.Mutable directory, List<AutoCloseable> open)
      throws Exception {
    Object[] graph = new Object[OBJECTS];
    Arrays.setAll(graph, i -> new Object());
    long before = usedBytes();
    for (int id = 2; id < 2 + OTHERS + OTHERS / 2; id++) {
      channels(id, directory, open, false).to(1).writeObject(graph);
      require(one.to(id).readObject() instanceof Object[] copy && copy.length == OBJECTS);
      open.removeLast().close();
      open.removeLast().close();
    }
    long kept = usedBytes() - before;
    for (AutoCloseable opened : open.reversed()) {
      opened.close();
    }
    System.out.println(kept < MOST_KEPT ? "OK" : "kept=" + kept);
  }

  private static long usedBytes() {
    System.gc(); // which this collector does at once
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void require(boolean isSame) {
    if (!isSame) {
      throw new AssertionError("another graph arrived");
    }
  }

  private static HeapChannels channels(
      int id, NodeDirectory.Mutable directory, List<AutoCloseable> open, boolean isCarried) {
    directory.put(id, "many-" + id);
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("loopback")
                .listen("many-" + id)
                .peers(directory)
                .build());
    open.add(node);
    HeapCodec codec = HeapCodec.builder().build();
    HeapChannels channels;
    if (isCarried) {
      MemoryCarrier carrier = new MemoryCarrier(id);
      open.add(carrier);
      channels = HeapChannels.of(node, codec, ChannelOptions.DEFAULT, carrier);
    } else {
      channels = HeapChannels.of(node, codec);
    }
    open.add(channels);
    return channels;
  }
}
