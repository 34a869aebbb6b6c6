package org.ringwire.heap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.heap.Samples.Circle;

/** Two nodes that send graphs for the first time; says when they begin to. */
final class FirstUseProgram {

  /** What most graphs have some of, and what few have. */
  private static final List<Object> USUAL =
      List.of(
          new ArrayList<>(List.of(1, "two")),
          new HashMap<>(Map.of("three", 4)),
          List.of(1),
          Map.of(1, "one"),
          Collections.emptyList(),
          URI.create("http://example.org/"),
          EnumSet.noneOf(TimeUnit.class),
          new CopyOnWriteArraySet<>(List.of(1)),
          Collections.newSetFromMap(new HashMap<>()));

  private static final int MEMORY_BYTES = 100;

  /** A message with anything. */
  record Parcel(Object content) {}

  private FirstUseProgram() {}

  /**
   * Sends in both directions.
   *
   * @param args by what: channels, carried channels or messages
   */
  public static void main(String... args) throws Exception {
    if (args[0].equals("messages")) {
      sendMessages();
    } else {
      writeGraphs(args[0].equals("carried"));
    }
  }

  private static void sendMessages() throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = open(1, directory);
        Node two = open(2, directory)) {
      BlockingQueue<Parcel> arrived = new LinkedBlockingQueue<>();
      two.handle(Parcel.class, (parcel, _) -> arrived.add(parcel));
      System.out.println("opened");
      one.send(2, new Parcel(new Circle(1)));
      Object _ = arrived.take();
      for (Object each : USUAL) {
        one.send(2, new Parcel(each));
        Object _ = arrived.take();
      }
      System.out.println("closed");
    }
  }

  private static Node open(int id, NodeDirectory.Mutable directory) {
    MessageCatalog catalog = new MessageCatalog();
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    catalog.register(Parcel.class, codec.messageCodec(Parcel.class));
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("loopback")
                .listen("first-use-" + id)
                .peers(directory)
                .catalog(catalog)
                .build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private static void writeGraphs(boolean isCarried) {
    try (TestChannels channels = new TestChannels()) {
      HeapChannels one = channels.open(1, isCarried ? channels.left : null);
      HeapChannels two = channels.open(2, isCarried ? channels.right : null);
      HeapCodec codec = HeapCodec.builder().build();
      System.out.println("opened");
      for (int i = 0; i < 2; i++) {
        one.to(2).writeObject(new Circle(i));
        Object _ = two.to(1).readObject();
        for (Object each : USUAL) {
          one.to(2).writeObject(each);
          Object _ = two.to(1).readObject();
        }
        MemorySegment memory = Arena.ofAuto().allocate(MEMORY_BYTES);
        long length = codec.encode(i, memory);
        Object _ = codec.decode(memory.asSlice(0, length));
        two.to(1).writeObject(new byte[10_000]);
        Object _ = one.to(2).readObject();
      }
      System.out.println("closed");
    }
  }
}
