package org.ringwire.heap;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.management.NodeManagement;

/** The application that {@link ReloadingProgram} loads: it uses what there is, and closes it. */
public final class ReloadedProgram implements Runnable {

  /** For who loads it. */
  public ReloadedProgram() {}

  record Ask(String text, TimeUnit unit) {}

  record Event(String text) {}

  record Answer(List<String> words) {}

  /** Knows itself, and classes of the platform. */
  static final class Ring {
    final Ring next = this;
    final Map<String, TimeUnit> units = new HashMap<>(Map.of("day", TimeUnit.DAYS));
    final int[] numbers = {1, 2};
    final Ring[] others = {this};
  }

  @Override
  public void run() {
    for (String transport : List.of("tcp", "loopback")) {
      NodeDirectory.Mutable peers = NodeDirectory.mutable();
      try (Node one = open(1, transport, peers);
          Node two = open(2, transport, peers);
          NodeManagement _ = NodeManagement.register(one)) {
        two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Answer(List.of(ask.text()))));
        Ask ask = new Ask("words", TimeUnit.DAYS);
        Answer _ = one.request(2, ask, Answer.class, Duration.ofSeconds(30));
        Answer _ = one.requestAsync(2, ask, Answer.class).join();
        two.handle(Event.class, (_, _) -> {});
        one.send(2, new Event("words"));
        exchangeGraphs(one, two);
        measureWhatIsNotSent();
      }
    }
  }

  private static void exchangeGraphs(Node one, Node two) {
    HeapCodec codec = HeapCodec.builder().accept(Ring.class, TimeUnit.class).build();
    HeapChannels there = HeapChannels.of(two, codec);
    HeapChannels.of(one, codec).to(2).writeObject(new Ring());
    Ring ring = (Ring) there.to(1).readObject();
    if (ring.next != ring) {
      throw new AssertionError("another ring");
    }
  }

  /** As {@code trySend} does that finds no room. */
  private static void measureWhatIsNotSent() {
    HeapCodec codec = HeapCodec.builder().accept(Ring.class, TimeUnit.class).build();
    int _ = codec.messageCodec(Ring.class).length(new Ring());
  }

  private static Node open(int id, String transport, NodeDirectory.Mutable peers) {
    String listen = transport.equals("tcp") ? "127.0.0.1:0" : "reloaded-" + id;
    NodeConfig.Builder config = NodeConfig.builder(id).transport(transport).listen(listen);
    config.encodeTimeout(Duration.ofMinutes(1)); // no report where there are too few cores
    Node node = Node.open(config.peers(peers).build());
    peers.put(id, node.address());
    return node;
  }
}
