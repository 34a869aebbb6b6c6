package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.FrameLayout;

/** Connections beyond the limit go in good order, and come back; nothing is lost by it. */
@ExtendWith(NodeWatcher.class)
class DismissalTest {

  private static final int HUB = 1;
  private static final int FIRST_PEER = 100;
  private static final int PEERS = 64;
  private static final int LIMIT = 8;

  /** One of a thread's messages to a node: they are numbered from 1 without gaps. */
  record Numbered(long thread, long number) {}

  record Query(long number) {}

  record Ask(long number) {}

  record Event(long number) {}

  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();
  private final AtomicInteger dismissals = new AtomicInteger();
  private final Queue<String> disorder = new ConcurrentLinkedQueue<>();
  private final Map<String, Long> last = new ConcurrentHashMap<>();
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong dismissed = new AtomicLong(); // messages, requests included
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private final NodeListener listener =
      new NodeListener() {
        @Override
        public void lost(LossReport report) {
          if (report.reason() != EndReason.PEER_CLOSED
              && report.reason() != EndReason.NODE_CLOSED) {
            losses.add(report);
          }
        }

        @Override
        public void dismissed(LossReport report) {
          if (report.accepted() != report.processed() || report.lost() + report.uncertain() > 0) {
            failures.add(new AssertionError(report.toString()));
          }
          dismissals.incrementAndGet();
          dismissed.addAndGet(report.accepted());
        }
      };

  private Node open(TestNodes nodes, int id, int limit) {
    Node node =
        nodes.open(
            id,
            settings ->
                settings
                    .maxConnections(limit)
                    .handlerThreads(2)
                    .ringCapacity(64 << 10)
                    .keepAlive(Duration.ofHours(1)) // its looks are samples too
                    .listener(listener));
    node.handle(
        Numbered.class,
        Dispatch.POOLED.inOrder(),
        (message, exchange) -> {
          arrived(exchange.source() + " to " + id + " by " + message.thread(), message.number());
          if (exchange.isRequest()) {
            exchange.reply(message);
          }
        });
    node.handle(Query.class, (query, exchange) -> exchange.reply(query));
    return node;
  }

  /** Ordered types of a connection are handled by one thread at a time. */
  private void arrived(String way, long number) {
    Long before = last.put(way, number);
    if (number != (before == null ? 0 : before) + 1) {
      disorder.add(way + ": " + number + " after " + before);
    }
    received.incrementAndGet();
  }

  /** Random use of random nodes: some messages are requests, some of which overlap. */
  private void talk(List<Node> from, List<Integer> to, long thread, int count) {
    SplittableRandom random = new SplittableRandom(thread);
    Map<Integer, Long> numbers = new HashMap<>();
    List<CompletableFuture<Query>> futures = new ArrayList<>();
    try {
      for (int index = 0; index < count; index++) {
        Node node = from.get(random.nextInt(from.size()));
        int peer = to.get(random.nextInt(to.size()));
        long number = numbers.merge((node.id() << 16) | peer, 1L, Long::sum);
        Numbered message = new Numbered(thread, number);
        switch (random.nextInt(8)) {
          case 0 ->
              assertThat(node.request(peer, message, Numbered.class, PATIENCE)).isEqualTo(message);
          case 1 -> {
            futures.add(node.requestAsync(peer, new Query(number), Query.class)); // goes on
            node.send(peer, message);
          }
          default -> node.send(peer, message);
        }
        sent.incrementAndGet();
      }
      for (CompletableFuture<Query> future : futures) {
        assertThat(future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).number()).isPositive();
      }
    } catch (Exception | AssertionError e) {
      failures.add(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldLoseNothingAndKeepOrderUnderALimitOfEightWithSixtyFourPeers(String transport)
      throws InterruptedException {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node hub = open(nodes, HUB, LIMIT);
      List<Node> peers = new ArrayList<>();
      List<Integer> ids = new ArrayList<>();
      for (int id = FIRST_PEER; id < FIRST_PEER + PEERS; id++) {
        peers.add(open(nodes, id, id % 2 == 0 ? 1 : 16_384)); // some have a limit of their own
        ids.add(id);
      }
      List<Thread> threads = new ArrayList<>();
      for (int index = 0; index < 4; index++) {
        int thread = index;
        threads.add(Thread.ofPlatform().start(() -> talk(List.of(hub), ids, thread, 250)));
      }
      for (int index = 4; index < 8; index++) {
        int thread = index;
        List<Node> some = peers.subList((thread - 4) * 16, (thread - 3) * 16);
        threads.add(Thread.ofPlatform().start(() -> talk(some, List.of(HUB), thread, 150)));
      }
      for (Thread thread : threads) {
        assertThat(thread.join(PATIENCE.multipliedBy(4))).isTrue();
      }
      assertThat(failures).isEmpty();
      await("all messages", () -> received.get() == sent.get());
      assertThat(disorder).isEmpty();
      assertThat(losses).isEmpty();
      await("few connections", () -> hub.metrics().connections().size() <= LIMIT);
      assertThat(hub.metrics().connectionEnds()).containsOnlyKeys(EndReason.DISMISSED.name());
      assertThat(hub.metrics().connectionEnds().get(EndReason.DISMISSED.name()))
          .isGreaterThan(PEERS);
      assertThat(hub.metrics().lateResponses()).isZero();
      assertThat(peers)
          .allMatch(peer -> peer.metrics().connectionsLost() == 0)
          .allMatch(peer -> peer.metrics().lateResponses() == 0);
      await("both ends tell", () -> dismissals.get() > 2 * PEERS);
      assertThat(failures).isEmpty();
      assertThat(dismissed.get()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldDismissWhatWasNotUsedForLongest(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node hub = open(nodes, HUB, 3);
      for (int id = 2; id <= 5; id++) {
        open(nodes, id, 10).handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      }
      for (int id : List.of(2, 3, 4)) {
        assertThat(hub.request(id, new Ask(id), Ask.class, PATIENCE).number()).isEqualTo(id);
      }
      Connections connections = ((MessagingNode) hub).connections();
      for (int id : List.of(3, 2, 4)) { // each sample finds one more that was used; the first all
        long before = lastUse(connections, id);
        assertThat(hub.request(id, new Ask(id), Ask.class, PATIENCE).number()).isEqualTo(id);
        connections.dismissals().sampleNow();
        await("the sample", () -> lastUse(connections, id) != before);
      }
      assertThat(hub.request(5, new Ask(5), Ask.class, PATIENCE).number()).isEqualTo(5);
      await("one goes", () -> dismissals.get() == 2); // told on both sides
      assertThat(hub.metrics().connections())
          .extracting(connection -> connection.nodeId())
          .containsExactlyInAnyOrder(2, 4, 5);
    }
  }

  /** From now on what is used is used later than a connection that was used: chance has no say. */
  static void sampleUse(Node node, int id) {
    Connections connections = ((MessagingNode) node).connections();
    await(
        "the sample",
        () -> {
          connections.dismissals().sampleNow();
          Connection connection = connections.get(id);
          return connection != null && connection.usage().isSampled(connection);
        });
  }

  static long lastUse(Connections connections, int id) {
    Connection connection = connections.get(id);
    return connection == null ? 0 : connection.usage().lastUseNs();
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldAnswerWhatWasAskedBeforeItGoesAndSendNothingNewMeanwhile(String transport)
      throws Exception {
    Queue<RetainedExchange> asked = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node hub = open(nodes, HUB, 1);
      Node two = open(nodes, 2, 10);
      hub.handle(Ask.class, (ask, exchange) -> asked.add(exchange.retain()));
      two.send(HUB, new Numbered(6, 1));
      CompletableFuture<Ask> waiting = two.requestAsync(HUB, new Ask(1), Ask.class, PATIENCE);
      await("message and request", () -> asked.size() == 1 && received.get() == 1);
      Connections connections = ((MessagingNode) hub).connections();
      drain(connections, 2); // at once, as if the request had come right after the look
      Connections twos = ((MessagingNode) two).connections();
      await("so does the peer", () -> stateOf(twos, HUB) == ConnectionState.DRAINING);
      assertThat(hub.trySend(2, new Numbered(0, 1))).isEqualTo(SendStatus.NOT_CONNECTED);
      assertThat(two.trySend(HUB, new Numbered(0, 1))).isEqualTo(SendStatus.NOT_CONNECTED);
      Thread later = Thread.ofVirtual().start(() -> two.send(HUB, new Numbered(7, 1)));
      assertThat(waiting).isNotDone();
      try (RetainedExchange exchange = asked.element()) {
        exchange.reply(new Ask(2));
      }
      assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).number()).isEqualTo(2);
      assertThat(later.join(PATIENCE)).isTrue();
      await("it is back", () -> last.containsKey("2 to 1 by 7"));
      assertThat(losses).isEmpty();
      assertThat(two.metrics().connectionsLost()).isZero();
    }
  }

  static ConnectionState stateOf(Connections connections, int id) {
    Connection connection = connections.get(id);
    return connection == null ? ConnectionState.CLOSED : connection.state();
  }

  private static void drain(Connections connections, int id) {
    Connection connection = connections.get(id);
    assertThat(connection).isNotNull();
    connection.drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime());
  }

  /** Sends a peer one message, and dismisses it. */
  private static void dismiss(Node hub, int peer) {
    await("connected", () -> hub.trySend(peer, new Event(1)) == SendStatus.ACCEPTED);
    drain(((MessagingNode) hub).connections(), peer);
  }

  @Test
  void shouldReportWhatIsUncertainWhenThePeerGoesWhileItIsDismissed() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node hub = open(nodes, HUB, 1);
      open(nodes, 2, 10);
      try (RawPeer peer = RawPeer.join(hub, 50)) {
        dismiss(hub, 50);
        assertThat(CloseReason.of(peer.await(FrameLayout.CLOSE).type()))
            .isEqualTo(CloseReason.DISMISSED);
      }
      await("the report", () -> !losses.isEmpty());
      LossReport report = losses.element();
      assertThat(report.nodeId()).isEqualTo(50);
      assertThat(report.uncertain()).as(report.toString()).isEqualTo(1);
      assertThat(report.accepted()).isEqualTo(1);
      assertThat(dismissals).hasValue(0);
      hub.request(2, new Query(1), Query.class, PATIENCE);
    }
  }

  @Test
  void shouldDismissAPeerThatDoesNotKnowHowToDrain() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node hub = open(nodes, HUB, 1);
      open(nodes, 2, 10);
      try (RawPeer peer = RawPeer.join(hub, 50)) {
        dismiss(hub, 50);
        int length = peer.await(FrameLayout.MESSAGE).bytes().length;
        RawPeer.Frame close = peer.await(FrameLayout.CLOSE);
        assertThat(CloseReason.of(close.type())).isEqualTo(CloseReason.DISMISSED);
        peer.send(RawPeer.frame(FrameLayout.CREDIT, 0, RawPeer.words(length, 1, 128 << 10)));
        peer.awaitEnd();
      }
      await("it has ended", () -> dismissals.get() == 1);
      assertThat(losses).isEmpty();
    }
  }
}
