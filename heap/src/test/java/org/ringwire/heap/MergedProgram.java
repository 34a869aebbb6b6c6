package org.ringwire.heap;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/**
 * What {@link MergedJarTest} starts: two nodes that share a secret, a request between them, and a
 * graph through a channel, over each of the transports that it is called with; it prints those.
 */
final class MergedProgram {
  private static final byte[] SECRET =
      "of at least thirty-two characters".getBytes(StandardCharsets.US_ASCII);

  private MergedProgram() {}

  record Ask(String text) {}

  record Answer(List<String> words) {}

  /** Knows itself. */
  static final class Ring {
    Ring next = this;
  }

  public static void main(String[] transports) {
    for (String transport : transports) {
      run(transport);
      System.out.println(transport);
    }
  }

  private static void run(String transport) {
    NodeDirectory.Mutable peers = NodeDirectory.mutable();
    try (Node one = open(1, transport, peers);
        Node two = open(2, transport, peers)) {
      two.handle(
          Ask.class, (ask, exchange) -> exchange.reply(new Answer(List.of(ask.text().split(" ")))));
      Answer answer = one.request(2, new Ask("two words"), Answer.class, Duration.ofSeconds(30));
      require(answer.words().equals(List.of("two", "words")), answer);

      HeapCodec codec = HeapCodec.builder().accept(Ring.class).build();
      HeapChannels there = HeapChannels.of(two, codec);
      HeapChannels.of(one, codec).to(2).writeObject(new Ring());
      Ring ring = (Ring) there.to(1).readObject();
      require(ring.next == ring, "another ring");
    }
  }

  private static Node open(int id, String transport, NodeDirectory.Mutable peers) {
    String listen =
        switch (transport) {
          case "tcp" -> "127.0.0.1:0";
          case "loopback" -> "merged-" + id;
          default -> "*";
        };
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport(transport)
                .listen(listen)
                .peers(peers)
                .encodeTimeout(Duration.ofMinutes(1)) // no report where there are too few cores
                .authentication(Authentication.sharedSecret(SECRET))
                .build());
    peers.put(id, node.address());
    return node;
  }

  private static void require(boolean holds, Object found) {
    if (!holds) {
      throw new AssertionError(found);
    }
  }
}
