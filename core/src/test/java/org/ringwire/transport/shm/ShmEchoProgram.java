package org.ringwire.transport.shm;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** A node in a process of its own, which echoes until its standard input ends or it is killed. */
final class ShmEchoProgram {

  /** What is sent, one way or as a request. */
  record Word(long number, String text) {}

  private ShmEchoProgram() {}

  /** Listens on a socket; or on an address of TCP, with shared memory preferred to node 1. */
  public static void main(String... args) throws IOException {
    NodeConfig.Builder settings =
        args.length == 1
            ? config(2, NodeDirectory.empty())
            : preferring(2, NodeDirectory.of(Map.of(1, args[1])));
    try (Node node = Node.open(settings.listen(args[0]).build())) {
      node.handle(
          Word.class,
          Dispatch.INLINE,
          (word, exchange) -> {
            if (exchange.isRequest()) {
              exchange.reply(word);
            }
          });
      System.out.println("READY " + node.address());
      while (System.in.read() >= 0) {}
    }
  }

  static NodeConfig.Builder config(int id, NodeDirectory peers) {
    return patient(id, peers).transport("shm");
  }

  static NodeConfig.Builder preferring(int id, NodeDirectory peers) {
    return patient(id, peers).localTransport("shm");
  }

  private static NodeConfig.Builder patient(int id, NodeDirectory peers) {
    return NodeConfig.builder(id)
        .peers(peers)
        .requestTimeout(Duration.ofSeconds(60))
        .sendTimeout(Duration.ofSeconds(60));
  }
}
