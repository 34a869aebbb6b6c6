package org.ringwire.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.HeapShortage;

/**
 * Two nodes over {@code -Dtransport}, in whose process there is no heap left for two seconds while
 * they talk, and then plenty; says whether they answer again.
 */
final class NoHeapProgram {

  private static final long WITHOUT_NS = 2_000_000_000L;
  private static final long PATIENCE_NS = 30_000_000_000L;
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final String TRANSPORT = System.getProperty("transport");
  private static final int SMALL = 16;

  @SuppressWarnings("ArrayRecordComponent")
  record Ask(byte[] bytes) {}

  record Answer(int length) {}

  private NoHeapProgram() {}

  public static void main(String[] args) throws InterruptedException {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = open(1, directory);
        Node two = open(2, directory)) {
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(new Answer(ask.bytes().length)));
      System.out.println("before: " + answeredInTime(one)); // the first may be slow
      AtomicBoolean over = new AtomicBoolean();
      Thread talker =
          Thread.ofPlatform()
              .start(() -> {
                while (!over.get()) {
                  boolean _ = answered(one);
                }
              });
      try {
        HeapShortage.last(WITHOUT_NS);
      } finally {
        over.set(true);
      }
      talker.join();
      System.out.println("after: " + answeredInTime(one));
    }
    System.exit(0); // whatever the hunger has left behind
  }

  private static Node open(int id, NodeDirectory.Mutable directory) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport(TRANSPORT)
                .listen(TRANSPORT.equals("tcp") ? "127.0.0.1:0" : "*")
                .peers(directory)
                .connectTimeout(Duration.ofSeconds(1))
                .keepAlive(Duration.ofSeconds(1))
                .build());
    directory.put(id, node.address());
    return node;
  }

  private static boolean answered(Node node) {
    try {
      return node.request(2, new Ask(new byte[SMALL]), Answer.class, SHORT).length() == SMALL;
    } catch (RuntimeException | OutOfMemoryError e) {
      return false;
    }
  }

  private static boolean answeredInTime(Node node) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (System.nanoTime() - deadlineNs < 0) {
      if (answered(node)) {
        return true;
      }
    }
    return false;
  }
}
