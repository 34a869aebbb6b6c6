package org.ringwire.transport.shm;

import java.io.IOException;
import java.time.Duration;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** A node in a process of its own, which echoes until its standard input ends or it is killed. */
final class ShmEchoProgram {

  /** What is sent, one way or as a request. */
  record Word(long number, String text) {}

  private ShmEchoProgram() {}

  public static void main(String... args) throws IOException {
    try (Node node = Node.open(config(2, NodeDirectory.empty()).listen(args[0]).build())) {
      node.handle(
          Word.class,
          Dispatch.INLINE,
          (word, exchange) -> {
            if (exchange.isRequest()) {
              exchange.reply(word);
            }
          });
      System.out.println("READY");
      while (System.in.read() >= 0) {}
    }
  }

  static NodeConfig.Builder config(int id, NodeDirectory peers) {
    return NodeConfig.builder(id)
        .transport("shm")
        .peers(peers)
        .requestTimeout(Duration.ofSeconds(60))
        .sendTimeout(Duration.ofSeconds(60));
  }
}
