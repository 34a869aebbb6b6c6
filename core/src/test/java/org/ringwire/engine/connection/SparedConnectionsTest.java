package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.engine.connection.DismissalTest.lastUse;
import static org.ringwire.engine.connection.DismissalTest.sampleUse;
import static org.ringwire.engine.connection.DismissalTest.stateOf;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeListener;
import org.ringwire.SendStatus;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;

/** Where others can go, connections stay that are in use, or that would not come back. */
@ExtendWith(NodeWatcher.class)
class SparedConnectionsTest {

  private static final int HUB = 1;

  /** What is handled when the test says so, and then answered by a message. */
  record Work(long number) {}

  record Result(long number) {}

  record Event(long number) {}

  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong events = new AtomicLong();
  private final AtomicLong results = new AtomicLong();
  private final Queue<Integer> dismissed = new ConcurrentLinkedQueue<>(); // by the hub
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private final NodeListener listener =
      new NodeListener() {
        @Override
        public void dismissed(LossReport report) {
          dismissed.add(report.nodeId());
        }
      };

  @AfterEach
  void goOn() {
    goOn.countDown();
  }

  private Node hub(TestNodes nodes, int limit, UnaryOperator<NodeConfig.Builder> settings) {
    return handling(
        nodes.open(
            HUB,
            builder ->
                settings.apply(
                    builder
                        .maxConnections(limit)
                        .keepAlive(Duration.ofHours(1)) // its looks tell credit, too
                        .listener(listener))));
  }

  private Node peer(TestNodes nodes, int id) {
    return handling(nodes.open(id, settings -> settings.keepAlive(Duration.ofHours(1))));
  }

  private Node handling(Node node) {
    node.handle(Event.class, (event, exchange) -> events.incrementAndGet());
    node.handle(Result.class, (result, exchange) -> results.incrementAndGet());
    node.handle(
        Work.class,
        (work, exchange) -> {
          begun.incrementAndGet();
          try {
            assertThat(goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            node.send(exchange.source(), new Result(work.number()), PATIENCE);
          } catch (RuntimeException | InterruptedException | AssertionError e) {
            failures.add(e);
          }
        });
    return node;
  }

  private void send(Node from, int to) {
    long before = events.get();
    from.send(to, new Event(1));
    await("the event", () -> events.get() > before);
  }

  private ConnectionState stateAt(Node node, int peer) {
    return stateOf(((MessagingNode) node).connections(), peer);
  }

  /** There are two connections where there may be one: that to node 3 goes, not that to node 2. */
  private void expectThatTheOtherGoes(Node hub) {
    send(hub, 3);
    await("one goes", () -> !dismissed.isEmpty() || stateAt(hub, 2) != ConnectionState.OPEN);
    assertThat(dismissed).containsExactly(3);
    assertThat(stateAt(hub, 2)).isEqualTo(ConnectionState.OPEN);
  }

  private void expectAResult(Node hub) {
    goOn.countDown();
    await("the result", () -> results.get() == 1 || !failures.isEmpty());
    assertThat(failures).isEmpty();
    assertThat(hub.metrics().messagesUncertain()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSpareAPeerWhoseMessageIsHandledByWhoSendsBack(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node hub = hub(nodes, 1, settings -> settings);
      Node two = peer(nodes, 2);
      peer(nodes, 3);
      send(two, HUB);
      sampleUse(hub, 2);
      two.send(HUB, new Work(1));
      await("the handler", () -> begun.get() == 1);
      expectThatTheOtherGoes(hub);
      expectAResult(hub);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSpareAPeerWhoseHandlerSendsBack(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node hub = hub(nodes, 1, settings -> settings);
      peer(nodes, 2);
      peer(nodes, 3);
      hub.send(2, new Work(1));
      await("the handler", () -> begun.get() == 1);
      sampleUse(hub, 2);
      expectThatTheOtherGoes(hub);
      expectAResult(hub);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldDismissOneOfThoseThatAreInUseForTooLong(String transport) {
    Duration second = Duration.ofSeconds(1);
    try (TestNodes nodes = new TestNodes(transport)) {
      Node hub = hub(nodes, 1, settings -> settings.requestTimeout(second).closeTimeout(second));
      Node two = peer(nodes, 2);
      Node three = peer(nodes, 3);
      send(two, HUB);
      sampleUse(hub, 2);
      two.send(HUB, new Work(1));
      three.send(HUB, new Work(2));
      await("the handlers", () -> begun.get() == 2);
      await("one goes", () -> isGoing(stateAt(hub, 2)) || isGoing(stateAt(hub, 3)));
      goOn.countDown();
      await("both results", () -> results.get() == 2 || !failures.isEmpty());
      assertThat(failures).isEmpty();
    }
  }

  /** Or has gone already: a drain that nobody answers takes a second. */
  private static boolean isGoing(ConnectionState state) {
    return state == ConnectionState.DRAINING || state == ConnectionState.CLOSED;
  }

  @Test
  void shouldLetNobodyGoForNodesThatAreNotReached() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp");
        ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Node hub = hub(nodes, 2, settings -> settings);
      peer(nodes, 2);
      peer(nodes, 3);
      nodes.directory().put(100, "127.0.0.1:" + mute.getLocalPort());
      send(hub, 2);
      send(hub, 3);
      useSecond(hub);
      assertThat(hub.trySend(100, new Event(1))).isEqualTo(SendStatus.NOT_CONNECTED);
      assertThat(stateAt(hub, 100)).isEqualTo(ConnectionState.CONNECTING);
      useSecond(hub);
      useSecond(hub);
      assertThat(stateAt(hub, 2)).isEqualTo(ConnectionState.OPEN);
      assertThat(stateAt(hub, 3)).isEqualTo(ConnectionState.OPEN);
      assertThat(hub.metrics().connectionEnds()).isEqualTo(Map.of());
    }
  }

  /** After a look at the connections, which may have been one that was due before. */
  private void useSecond(Node hub) {
    Connections connections = ((MessagingNode) hub).connections();
    long before = lastUse(connections, 2);
    send(hub, 2);
    connections.dismissals().sampleNow();
    await("the sample", () -> lastUse(connections, 2) != before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldKeepAPeerThatCannotBeConnectedToWhereAnotherCan(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node hub = hub(nodes, 1, settings -> settings);
      Node two = handling(nodes.openWithoutListener(2));
      peer(nodes, 3);
      send(two, HUB);
      sampleUse(hub, 2);
      expectThatTheOtherGoes(hub);
      send(hub, 2);
    }
  }

  @Test
  void shouldDismissAPeerThatCannotBeConnectedToWhereNoOtherCan() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node hub = hub(nodes, 1, settings -> settings);
      Node two = handling(nodes.openWithoutListener(2));
      Node three = handling(nodes.openWithoutListener(3));
      send(two, HUB);
      sampleUse(hub, 2);
      send(three, HUB);
      await("one goes", () -> dismissed.contains(2));
      send(two, HUB); // comes back
    }
  }
}
