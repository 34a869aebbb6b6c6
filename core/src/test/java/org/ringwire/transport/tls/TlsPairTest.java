package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Node;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.TransportProvider;

/** Two nodes with TLS: how many full handshakes their two links take. */
@ExtendWith(NodeWatcher.class)
class TlsPairTest {

  record Ping(int number) {}

  record Pong(int number) {}

  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path folder;

  private final TestCertificates authority = new TestCertificates("authority");
  private final TestNodes nodes = new TestNodes("tcp");
  private final Map<Integer, TlsTransport> transports = new ConcurrentHashMap<>();

  @AfterEach
  void close() {
    nodes.close();
  }

  private Node open(int id) {
    TransportProvider kept =
        ForwardingTransport.provider(
            "tcp",
            config -> {
              TlsTransport opened = (TlsTransport) TlsTransports.TCP.open(config);
              opened.waitForTickets(TestNodes.PATIENCE);
              transports.put(id, opened);
              return opened;
            });
    Node node =
        MessagingNode.open(
            nodes
                .builder(id)
                .listen("127.0.0.1:0")
                .connectTimeout(TestNodes.PATIENCE)
                .tls(authority.tls(folder, "default", id))
                .build(),
            1,
            kept);
    node.handle(Ping.class, (ping, exchange) -> exchange.reply(new Pong(ping.number())));
    return nodes.added(node);
  }

  private static void assertAnswers(Node from, int to) {
    assertThat(from.request(to, new Ping(7), Pong.class, SOON)).isEqualTo(new Pong(7));
  }

  private void assertFullHandshakes(int id, int expected) {
    TlsTransport transport = transports.get(id);
    assertThat(transport.contexts().checks()).as("of node " + id).isEqualTo(expected);
  }

  /** The two have two links, neither more nor fewer. */
  private void assertPair(int fullHandshakesOfNodeOne) {
    assertThat(transports.get(1).links()).as("links of node 1").isEqualTo(2);
    assertThat(transports.get(2).links()).as("links of node 2").isEqualTo(2);
    assertFullHandshakes(1, fullHandshakesOfNodeOne);
    assertFullHandshakes(2, 1);
  }

  @Test
  void shouldTakeOneFullHandshakeForTheTwoLinksOfAPair() {
    Node one = open(1);
    Node two = open(2);

    assertAnswers(one, 2);
    assertAnswers(two, 1);

    assertPair(1);
  }

  /** A peer that is back has lost its sessions, but the second link resumes the first again. */
  @Test
  void shouldTakeOneFullHandshakeForEachLifeOfAPeer() {
    Node one = open(1);
    for (int life = 1; life <= 3; life++) {
      Node two = open(2);
      assertAnswers(two, 1);
      assertAnswers(one, 2);
      assertPair(life);
      two.close();
      await("the links have ended", () -> transports.get(1).links() == 0);
    }
  }

  @Test
  void shouldConnectWhenBothBeginAtTheSameTime() throws Exception {
    Node one = open(1);
    Node two = open(2);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> there = threads.submit(() -> assertAnswers(one, 2));
      Future<?> back = threads.submit(() -> assertAnswers(two, 1));
      there.get();
      back.get();
    }
    assertThat(transports.get(1).contexts().checks()).isBetween(1L, 2L);
    assertThat(transports.get(2).contexts().checks()).isBetween(1L, 2L);
  }
}
