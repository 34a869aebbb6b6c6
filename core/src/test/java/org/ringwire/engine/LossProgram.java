package org.ringwire.engine;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.engine.connection.Connection;

/**
 * Two nodes over {@code -Dtransport} that have long been connected; then their links end, from
 * either side, they connect again, and close. Prints marks around that, for what the JVM prints.
 */
final class LossProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  record Ask(long number) {}

  private LossProgram() {}

  public static void main(String[] args) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (MessagingNode one = open(1, directory);
        MessagingNode two = open(2, directory)) {
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      use(one);
      System.out.println("connected");
      end(one);
      use(one);
      end(two);
      use(one);
    }
    System.out.println("closed");
  }

  /** Until it works: the other side may hear of the end only by this. */
  private static void use(Node node) {
    boolean used = false;
    while (!used) {
      try {
        node.request(2, new Ask(1), Ask.class, PATIENCE);
        node.requestAsync(2, new Ask(2), Ask.class, PATIENCE).join();
        used = true;
      } catch (MessagingException | CompletionException e) {
        // it is lost with the link
      }
    }
  }

  private static void end(MessagingNode node) {
    for (Connection each : node.connections().all()) {
      each.dataSession().ending().begin("as this program wants it");
      while (!each.isEnded()) {
        Thread.onSpinWait();
      }
    }
  }

  private static MessagingNode open(int id, NodeDirectory.Mutable directory) {
    return (MessagingNode) ProgramNodes.openKnown(id, directory, settings -> settings);
  }
}
