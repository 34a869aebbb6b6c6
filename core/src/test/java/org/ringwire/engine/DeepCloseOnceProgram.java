package org.ringwire.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.Node;
import org.ringwire.NodeListener;

/**
 * Closes a node once in each of many threads, ever further from where their stacks end, until a
 * thread was started for that, or it closes the node itself. Says whether the close returned then.
 */
final class DeepCloseOnceProgram {

  private static final long STACK = 512 << 10;
  private static final int DEEPEST = 1 << 20;
  private static final AtomicInteger STARTED = new AtomicInteger();
  private static int deepest;
  private static boolean returned;

  private DeepCloseOnceProgram() {}

  public static void main(String[] args) throws InterruptedException {
    try (TestNodes nodes = new TestNodes("loopback")) {
      MessagingNode node =
          (MessagingNode) nodes.open(1, settings -> settings.listener(new Counts()));
      node.connections().services().startThread("first", () -> {}); // loads what this needs
      closeAt(node, DEEPEST);
      int depth = deepest;
      while (!returned && closers(node) == 0 && STARTED.get() == 0) { // in this order
        closeAt(node, depth--);
      }
      System.out.println("failed before: " + (deepest - depth - 1));
      System.out.println("returned: " + returned);
    }
    System.exit(0); // whatever a stack that has ended somewhere has left behind
  }

  private static final class Counts implements NodeListener {
    @Override
    public void threadStarted(Thread thread) {
      if (thread.getName().endsWith("-close")) {
        STARTED.incrementAndGet();
      }
    }
  }

  private static long closers(Node node) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("ringwire-" + node.id() + "-close"))
        .count();
  }

  private static void closeAt(Node node, int depth) throws InterruptedException {
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                returned = deeper(node, depth, 0);
              } catch (StackOverflowError e) {
                // wherever it was
              }
            },
            "deep",
            STACK);
    thread.start();
    thread.join();
  }

  private static boolean deeper(Node node, int depth, int reached) {
    if (reached < depth) {
      deepest = depth == DEEPEST ? reached : deepest;
      return deeper(node, depth, reached + 1);
    }
    node.close(Duration.ofSeconds(1));
    return true;
  }
}
