package org.ringwire.tools.node;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.tools.process.ParentLink;

/** Main class of a child: a node that logs deliveries, and leaves some requests unanswered. */
final class DeliveryNode {

  /** A message or a request, logged and answered. */
  record Numbered(long id) {}

  /** A request that is never answered. */
  record Unanswered(long id) {}

  private DeliveryNode() {}

  /** Arguments: node id, address, file, number of messages. */
  public static void main(String... args) throws InterruptedException {
    ParentLink parent = ParentLink.open();
    DeliveryLog log = DeliveryLog.open(Path.of(args[2]), Integer.parseInt(args[3]));
    NodeConfig config =
        NodeConfig.builder(Integer.parseInt(args[0]))
            .cluster("death")
            .listen(args[1])
            .lookup(MethodHandles.lookup())
            .build();
    Node node = Node.open(config);
    node.handle(
        Numbered.class,
        (message, exchange) -> {
          log.delivered(message.id());
          if (exchange.isRequest()) {
            exchange.reply(message);
          }
        });
    node.handle(Unanswered.class, Dispatch.BLOCKING, (_, exchange) -> exchange.retain());
    parent.ready(String.valueOf(node.address()));
    parent.awaitLine();
  }
}
