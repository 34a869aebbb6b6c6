package org.ringwire.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.engine.services.Bounded;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.HeapShortage;

/**
 * A node over {@code -Dtransport} that others open, ask and close, in whose process there is no
 * heap left for some seconds meanwhile; says whether a new one is answered afterwards, and what is
 * left at the end.
 */
final class NoHeapNodesProgram {

  private static final long WITHOUT_NS = 10_000_000_000L;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final long THREADS_END_NS = 10_000_000_000L;
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final int VISITORS = 3;
  private static final int SMALL = 16;

  @SuppressWarnings("ArrayRecordComponent")
  record Ask(byte[] bytes) {}

  record Answer(int length) {}

  private NoHeapNodesProgram() {}

  public static void main(String[] args) throws InterruptedException {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    AtomicInteger ids = new AtomicInteger(1);
    try (Node host = open(1, directory)) {
      directory.put(1, host.address());
      host.handle(Ask.class, (ask, exchange) -> exchange.reply(new Answer(ask.bytes().length)));
      System.out.println("before: " + visitInTime(ids, directory));
      AtomicBoolean over = new AtomicBoolean();
      Thread[] visitors = new Thread[VISITORS];
      for (int i = 0; i < visitors.length; i++) {
        visitors[i] =
            Thread.ofPlatform()
                .start(() -> {
                  while (!over.get()) {
                    boolean _ = isAnswered(ids, directory);
                  }
                });
      }
      try {
        HeapShortage.last(WITHOUT_NS);
      } finally {
        over.set(true);
      }
      for (Thread visitor : visitors) {
        visitor.join();
      }
      System.out.println("after: " + visitInTime(ids, directory));
    }
    System.out.println("left: " + NativeMemory.openOwners() + " " + MemoryBudget.committed());
    System.out.println("threads: " + threadsLeft());
    System.exit(0); // whatever the hunger has left behind
  }

  private static Node open(int id, NodeDirectory directory) {
    return ProgramNodes.open(
        id,
        directory,
        settings ->
            settings
                .connectTimeout(Duration.ofSeconds(1))
                .keepAlive(Duration.ofSeconds(1))
                .closeTimeout(Duration.ofSeconds(1)));
  }

  private static boolean isAnswered(AtomicInteger ids, NodeDirectory directory) {
    try (Node node = open(ids.incrementAndGet(), directory)) {
      return node.request(1, new Ask(new byte[SMALL]), Answer.class, SHORT).length() == SMALL;
    } catch (RuntimeException | OutOfMemoryError e) {
      return false;
    }
  }

  private static boolean visitInTime(AtomicInteger ids, NodeDirectory directory) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (System.nanoTime() - deadlineNs < 0) {
      if (isAnswered(ids, directory)) {
        return true;
      }
    }
    return false;
  }

  /** Those that have not ended in time: some end after the node that had them is closed. */
  private static List<String> threadsLeft() {
    boolean _ = Bounded.await(() -> threads().isEmpty(), System.nanoTime() + THREADS_END_NS);
    return threads();
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("ringwire"))
        .sorted()
        .toList();
  }
}
