package org.ringwire.engine;

import java.time.Duration;
import org.ringwire.Node;
import org.ringwire.engine.services.Bounded;

/**
 * Closes nodes that are connected where the stack of the thread ends, and again at each call on the
 * way back; then once more where there is enough of it. Says what is left.
 */
final class DeepCloseProgram {

  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final long STACK = 512 << 10;
  private static final int ROUNDS = 8;
  private static final long PATIENCE_NS = TestNodes.PATIENCE.toNanos(); // of a busy machine
  private static int closes;

  record Ask(int number) {}

  private DeepCloseProgram() {}

  public static void main(String[] args) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      try (TestNodes nodes = new TestNodes(System.getProperty("transport"))) {
        nodes.open(2).handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
        Node one = nodes.open(1);
        one.request(2, new Ask(round), Ask.class, TestNodes.PATIENCE);
        closes = 0;
        Thread thread = new Thread(null, () -> overflow(one), "deep", STACK + 1000L * round);
        thread.start();
        thread.join();
        System.out.println("closes: " + closes);
        one.close(SHORT);
        boolean ended = Bounded.await(() -> threadsOf(one) == 0, System.nanoTime() + PATIENCE_NS);
        System.out.println("ended: " + ended);
      }
    }
    System.exit(0); // whatever a stack that has ended somewhere has left behind
  }

  private static void overflow(Node node) {
    try {
      deeper(node, 0);
    } catch (StackOverflowError e) {
      // wherever it was
    }
  }

  private static int deeper(Node node, int depth) {
    try {
      return depth == Integer.MAX_VALUE ? 0 : deeper(node, depth + 1) + 1; // never so deep
    } catch (StackOverflowError e) {
      closes++;
      node.close(SHORT);
      throw e;
    }
  }

  private static long threadsOf(Node node) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("ringwire-" + node.id() + "-"))
        .count();
  }
}
