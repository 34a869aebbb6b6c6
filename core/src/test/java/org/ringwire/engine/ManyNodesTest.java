package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.ringwire.engine.TestNodes.PATIENCE;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** Many nodes in one process, each of which sends to each other one. */
@ExtendWith(NodeWatcher.class)
class ManyNodesTest {

  private static final int MESSAGES = 3;
  private static final int RING = 64 << 10;
  private static final int SENDING_THREADS = 4;

  record Greeting(int from, int number) {}

  /** What one node has received. */
  private static final class Guest {
    private final AtomicInteger[] next;

    Guest(int nodes) {
      next = new AtomicInteger[nodes];
      for (int from = 0; from < nodes; from++) {
        next[from] = new AtomicInteger();
      }
    }
  }

  @Test
  void shouldConnectDozensOverLoopback() throws Exception {
    allToAll("loopback", 96);
  }

  @Test
  @Tag("nightly")
  void shouldConnect256OverLoopback() throws Exception {
    allToAll("loopback", 256);
  }

  @Test
  void shouldConnectDozensOverTcp() throws Exception {
    allToAll("tcp", 24);
  }

  @Test
  @Tag("nightly")
  void shouldConnect64OverTcp() throws Exception {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      long needed = 64 * 63 * 2 + 1000; // both ends of every link, and some
      assumeThat(system.getMaxFileDescriptorCount()).as("ulimit -n").isGreaterThan(needed);
    }
    allToAll("tcp", 64);
  }

  private static void allToAll(String transport, int count) throws Exception {
    AtomicLong received = new AtomicLong();
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      List<Node> all = new ArrayList<>();
      for (int id = 0; id < count; id++) {
        all.add(open(nodes, id, new Guest(count), received, wrong));
      }
      AtomicInteger nextSender = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int thread = 0; thread < SENDING_THREADS; thread++) {
        threads.add(Thread.ofPlatform().start(() -> sendAll(all, nextSender, wrong)));
      }
      for (Thread thread : threads) {
        thread.join(Duration.ofMinutes(10));
        assertThat(thread.isAlive()).as("still sending").isFalse();
      }
      long expected = (long) MESSAGES * count * (count - 1);
      assertThat(wrong).isEmpty();
      Awaiting.await("all greetings", () -> received.get() == expected || !wrong.isEmpty());
      assertThat(wrong).isEmpty();
      for (Node node : all) {
        long each = (long) MESSAGES * (count - 1);
        Awaiting.await("all are counted", () -> node.metrics().messagesReceived() == each);
        assertThat(node.metrics().connections()).hasSize(count - 1);
      }
      Awaiting.await(
          "all rings rest, and what they have shared is closed",
          () -> !NativeMemory.openOwners().contains("slab of rings"));
    }
  }

  private static Node open(
      TestNodes nodes, int id, Guest guest, AtomicLong received, Queue<String> wrong) {
    Node node =
        nodes.open(
            id,
            settings ->
                settings
                    .handlerThreads(1)
                    .ringCapacity(RING)
                    .connectTimeout(PATIENCE)
                    .closeTimeout(PATIENCE)
                    .idleTime(Duration.ofSeconds(1))
                    .keepAlive(Duration.ofSeconds(30)));
    node.handle(
        Greeting.class,
        Dispatch.INLINE,
        (greeting, exchange) -> {
          int expected = guest.next[greeting.from()].getAndIncrement();
          if (greeting.number() != expected || exchange.source() != greeting.from()) {
            wrong.add(greeting + " at node " + id + " instead of " + expected);
          }
          received.incrementAndGet();
        });
    return node;
  }

  private static void sendAll(List<Node> all, AtomicInteger nextSender, Queue<String> wrong) {
    try {
      int index = nextSender.getAndIncrement();
      while (index < all.size() && wrong.isEmpty()) {
        Node sender = all.get(index);
        for (int step = 1; step < all.size(); step++) {
          int receiver = all.get((index + step) % all.size()).id();
          for (int number = 0; number < MESSAGES; number++) {
            sender.send(receiver, new Greeting(sender.id(), number));
          }
        }
        index = nextSender.getAndIncrement();
      }
    } catch (RuntimeException e) {
      wrong.add(e.toString());
    }
  }
}
