package org.ringwire.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.Dispatch;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;

/**
 * Pairs of nodes between which a thread sends until its stack is at an end; says of each whether
 * messages pass afterwards. Over transports that send without sockets: one of the JDK's whose lock
 * such a thread has lost can never be closed again.
 */
final class DeepStackProgram {

  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final long STACK = 512 << 10;
  private static final int ROUNDS = 4;
  private static final AtomicLong RECEIVED = new AtomicLong();

  record Ask(int number) {}

  private DeepStackProgram() {}

  public static void main(String[] args) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      try (TestNodes nodes = new TestNodes(System.getProperty("transport"))) {
        nodes
            .open(2, DeepStackProgram::impatient)
            .handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> RECEIVED.incrementAndGet());
        Node one = nodes.open(1, DeepStackProgram::impatient);
        System.out.println("before: " + isReached(one));
        Thread thread = new Thread(null, () -> overflow(one), "deep", STACK + 1000L * round);
        thread.start();
        thread.join();
        System.out.println("after: " + isReached(one));
      }
    }
    System.exit(0); // whatever a stack that has ended somewhere has left behind
  }

  private static NodeConfig.Builder impatient(NodeConfig.Builder settings) {
    return settings
        .encodeTimeout(Duration.ofMillis(20))
        .keepAlive(SHORT)
        .closeTimeout(Duration.ofMillis(10));
  }

  private static void overflow(Node node) {
    try {
      sendDeeper(node, 0);
    } catch (StackOverflowError | MessagingException e) {
      // wherever it was
    }
  }

  private static int sendDeeper(Node node, int depth) {
    node.send(2, new Ask(depth), SHORT);
    return depth == Integer.MAX_VALUE ? 0 : sendDeeper(node, depth + 1) + 1; // never so deep
  }

  private static boolean isReached(Node node) {
    long deadlineNs = System.nanoTime() + TestNodes.PATIENCE.toNanos();
    long before = RECEIVED.get();
    while (RECEIVED.get() == before && System.nanoTime() - deadlineNs < 0) {
      try {
        node.send(2, new Ask(0), SHORT);
      } catch (MessagingException e) {
        // the next may find another link
      }
    }
    return RECEIVED.get() > before;
  }
}
