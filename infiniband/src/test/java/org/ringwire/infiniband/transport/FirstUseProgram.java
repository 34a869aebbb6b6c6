package org.ringwire.infiniband.transport;

import java.time.Duration;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** Two nodes over ib that talk for the first time; says when they begin to. */
final class FirstUseProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private FirstUseProgram() {}

  record Ask(long number) {}

  @SuppressWarnings("ArrayRecordComponent")
  record Block(byte[] bytes) {}

  public static void main(String[] args) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Node one = open(1, directory);
    Node two = open(2, directory);
    two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    two.handle(Block.class, (block, exchange) -> {});
    System.out.println("opened");
    Ask _ = one.request(2, new Ask(1), Ask.class, PATIENCE);
    one.send(2, new Block(new byte[2 << 20]));
    Ask _ = one.request(2, new Ask(2), Ask.class, PATIENCE);
    two.close();
    one.close();
    System.out.println("closed");
  }

  private static Node open(int id, NodeDirectory.Mutable directory) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("ib")
                .listen("127.0.0.1:0")
                .authentication(Authentication.none())
                .peers(directory)
                .build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }
}
