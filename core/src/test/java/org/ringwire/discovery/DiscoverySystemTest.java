package org.ringwire.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Nodes come, move and go while another one sends requests to all that a directory names. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("is not usable")
class DiscoverySystemTest {
  private static final Duration OFTEN = Duration.ofMillis(20);

  record Ask(int number) {}

  @TempDir Path folder;

  /** Says where all nodes are. */
  private interface Publisher {
    void publish(Map<Integer, String> addresses) throws IOException;
  }

  private static Node open(int id, String listen, NodeDirectory directory) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("tcp")
                .listen(listen)
                .peers(directory)
                .requestTimeout(PATIENCE)
                .build());
    node.handle(Ask.class, (ask, exchange) -> exchange.reply(new Ask(ask.number() + id)));
    return node;
  }

  /** Sends requests to nodes 1 to 3 until it is told to stop; failures are part of the game. */
  private static final class Client implements AutoCloseable {
    private final Map<Integer, AtomicLong> answers =
        Map.of(1, new AtomicLong(), 2, new AtomicLong(), 3, new AtomicLong());
    private final Node node;
    private final Thread thread = new Thread(this::run);
    private volatile boolean stop;

    Client(NodeDirectory directory) {
      node = open(9, "127.0.0.1:0", directory);
      thread.start();
    }

    private void run() {
      for (int number = 0; !stop; number++) {
        for (Map.Entry<Integer, AtomicLong> peer : answers.entrySet()) {
          try {
            Ask answer = node.request(peer.getKey(), new Ask(number), Ask.class, PATIENCE);
            if (answer.number() == number + peer.getKey()) {
              peer.getValue().incrementAndGet();
            }
          } catch (MessagingException e) {
            Thread.onSpinWait(); // not there, or going
          }
        }
      }
    }

    void awaitAnswers(int... ids) {
      for (int id : ids) {
        AtomicLong count = answers.get(id);
        long before = count.get();
        await("answers of node " + id, () -> count.get() > before + 20);
      }
    }

    @Override
    public void close() {
      stop = true;
      try {
        assertThat(thread.join(PATIENCE)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      node.close();
    }
  }

  private static void comeMoveAndGo(NodeDirectory directory, Publisher publisher)
      throws IOException {
    Map<Integer, Node> nodes = new TreeMap<>();
    try (Client client = new Client(directory)) {
      put(nodes, 1);
      publish(nodes, publisher);
      client.awaitAnswers(1);
      put(nodes, 2);
      put(nodes, 3);
      publish(nodes, publisher);
      client.awaitAnswers(1, 2, 3);
      put(nodes, 2); // moves
      publish(nodes, publisher);
      client.awaitAnswers(1, 2, 3);
      nodes.remove(3).close();
      publish(nodes, publisher);
      await("node 3 is unknown", () -> directory.address(3) == null);
      client.awaitAnswers(1, 2);
      put(nodes, 3);
      publish(nodes, publisher);
      client.awaitAnswers(3);
    } finally {
      nodes.values().forEach(Node::close);
    }
  }

  private static void put(Map<Integer, Node> nodes, int id) {
    Node before = nodes.remove(id);
    if (before != null) {
      before.close();
    }
    nodes.put(id, open(id, "127.0.0." + id + ":0", NodeDirectory.empty()));
  }

  private static void publish(Map<Integer, Node> nodes, Publisher publisher) throws IOException {
    publisher.publish(
        nodes.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().address())));
  }

  @Test
  void shouldFollowAFile() throws IOException {
    Path file = Files.writeString(folder.resolve("nodes.json"), "{}");
    try (FileDirectory directory = FileDirectory.watch(file, OFTEN)) {
      comeMoveAndGo(
          directory,
          addresses -> {
            String text =
                addresses.entrySet().stream()
                    .map(e -> "\"" + e.getKey() + "\": \"" + e.getValue() + "\"")
                    .collect(Collectors.joining(", ", "{", "}"));
            Path next = Files.writeString(folder.resolve("next"), text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
          });
    }
  }

  @Test
  void shouldFollowServiceRecords() throws IOException {
    String service = "_ringwire._tcp.example.org";
    try (NameServer server = new NameServer(service);
        DnsDirectory directory =
            DnsDirectory.services(service, "127.0.0.{id}", OFTEN, server.address())) {
      comeMoveAndGo(
          directory,
          addresses ->
              server.set(
                  addresses.values().stream()
                      .map(address -> address.split(":"))
                      .map(parts -> "0 0 " + parts[1] + " " + parts[0])
                      .toList()));
    }
  }

  @Test
  void shouldFindNodesByTheirNames() {
    Node one = open(1, "127.0.0.1:0", NodeDirectory.empty());
    String address = String.valueOf(one.address());
    String port = address.substring(address.lastIndexOf(':'));
    NodeDirectory directory = DnsDirectory.hosts("127.0.0.{id}" + port);
    try (one;
        Node two = open(2, "127.0.0.2" + port, directory)) {
      assertThat(two.request(1, new Ask(5), Ask.class, PATIENCE)).isEqualTo(new Ask(6));
    }
  }
}
