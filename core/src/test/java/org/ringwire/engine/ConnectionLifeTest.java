package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.CloseReport;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.ConnectionState;
import org.ringwire.engine.connection.Connections;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.FrameLayout;

/** Storms of connects, peers that are started again, and what calls do in each state. */
@ExtendWith(NodeWatcher.class)
class ConnectionLifeTest {

  private static final int THREADS = 1000;

  record Ask(long number) {}

  record Event(long number) {}

  private final AtomicInteger connected = new AtomicInteger();
  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();

  private final NodeListener listener =
      new NodeListener() {
        @Override
        public void connected(int nodeId) {
          connected.incrementAndGet();
        }

        @Override
        public void lost(LossReport report) {
          losses.add(report);
        }
      };

  /** Runs the same on many threads at the same time; what they threw. */
  private static Queue<Throwable> storm(Runnable each) throws InterruptedException {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int index = 0; index < THREADS; index++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  begin.await();
                  each.run();
                } catch (InterruptedException | MessagingException e) {
                  failures.add(e);
                }
              }));
    }
    begin.countDown();
    for (Thread thread : threads) {
      assertThat(thread.join(PATIENCE)).isTrue();
    }
    return failures;
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldServeAThousandThreadsWithOneConnectionToANewPeer(String transport)
      throws InterruptedException {
    AtomicInteger handled = new AtomicInteger();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.listener(listener));
      nodes.open(2).handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      assertThat(storm(() -> one.send(2, new Event(1)))).isEmpty();
      await("all messages", () -> handled.get() == THREADS);
      await("one connection", () -> connected.get() == 1);
      assertThat(losses).isEmpty();
    }
  }

  @Test
  void shouldTellAThousandThreadsOfOneAttemptThatFails() throws Exception {
    Queue<Socket> accepted = new ConcurrentLinkedQueue<>();
    ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    try (TestNodes nodes = new TestNodes("tcp")) {
      Thread accepting =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  while (true) {
                    accepted.add(mute.accept());
                  }
                } catch (IOException e) {
                  // closed at the end of the test
                }
              });
      Node one = nodes.open(1, settings -> settings.connectTimeout(Duration.ofSeconds(8)));
      nodes.directory().put(7, "127.0.0.1:" + mute.getLocalPort());
      Queue<Throwable> failures = storm(() -> one.send(7, new Event(1), PATIENCE));
      assertThat(failures)
          .hasSize(THREADS)
          .allMatch(e -> e instanceof NodeUnreachableException)
          .allMatch(e -> String.valueOf(e.getMessage()).contains("nodeId=7: handshake timed out"));
      assertThat(accepted).hasSize(1);
      mute.close();
      assertThat(accepting.join(PATIENCE)).isTrue();
    } finally {
      mute.close();
      for (Socket socket : accepted) {
        socket.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldDeliverNoResponseOfAnOldLifeToTheNewOne(String transport) throws Exception {
    Queue<RetainedExchange> asked = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      one.handle(Ask.class, (ask, exchange) -> asked.add(exchange.retain()));
      Node old = nodes.open(2);
      CompletableFuture<Ask> lost = old.requestAsync(1, new Ask(1), Ask.class, PATIENCE);
      await("the request of the old life", () -> asked.size() == 1);
      old.close(Duration.ofMillis(1));
      assertThat(lost).isCompletedExceptionally();
      Node fresh = nodes.open(2); // its correlation ids begin at the same number
      CompletableFuture<Ask> second = fresh.requestAsync(1, new Ask(2), Ask.class, PATIENCE);
      await("the request of the new life", () -> asked.size() == 2);
      List<RetainedExchange> exchanges = List.copyOf(asked);
      exchanges.get(0).reply(new Ask(111)); // goes nowhere
      exchanges.get(1).reply(new Ask(222));
      assertThat(second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).number()).isEqualTo(222);
      assertThat(fresh.metrics().lateResponses()).isZero();
      asked.forEach(RetainedExchange::close);
    }
  }

  @Test
  void shouldDeliverNoMessageOfAnOldLifeToTheNewOne() throws IOException {
    int id = 50;
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1, settings -> settings.listener(listener));
      long accepted = 0;
      try (RawPeer _ = RawPeer.join(one, id)) { // never returns credit
        await("connected", () -> one.trySend(id, new Event(1)) == SendStatus.ACCEPTED);
        for (accepted = 1; one.trySend(id, new Event(1)) == SendStatus.ACCEPTED; accepted++) {}
      }
      await("the loss", () -> losses.size() == 1);
      LossReport loss = losses.element();
      assertThat(loss.accepted()).isEqualTo(accepted);
      assertThat(loss.lost() + loss.uncertain()).isEqualTo(accepted);
      try (RawPeer fresh = RawPeer.connect(one)) {
        fresh.send(RawPeer.hello(id, 4711, "default").encode()).await(FrameLayout.WELCOME);
        await("connected", () -> one.trySend(id, new Event(999)) == SendStatus.ACCEPTED);
        assertThat(fresh.await(FrameLayout.MESSAGE).word(0)).isEqualTo(999);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldAnswerCallsWhileItDrainsAsTheStateSays(String transport) throws Exception {
    Duration brief = Duration.ofMillis(50);
    Queue<RetainedExchange> asked = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      one.handle(Ask.class, (ask, exchange) -> asked.add(exchange.retain()));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      CompletableFuture<Ask> waiting = two.requestAsync(1, new Ask(1), Ask.class, PATIENCE);
      await("the request", () -> asked.size() == 1);
      Connection connection = ((MessagingNode) one).connections().get(2);
      assertThat(connection).isNotNull();
      connection.drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime());
      assertThat(connection.state()).isEqualTo(ConnectionState.DRAINING);
      assertThat(one.trySend(2, new Event(1))).isEqualTo(SendStatus.NOT_CONNECTED);
      assertThatThrownBy(() -> one.send(2, new Event(1), brief))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("its connection was closed, and was not back in time");
      assertThatThrownBy(() -> one.request(2, new Ask(1), Ask.class, brief))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("its connection was closed, and was not back in time");
      CompletableFuture<Ask> later = one.requestAsync(2, new Ask(3), Ask.class, PATIENCE);
      CompletableFuture<Void> writable = one.whenWritable(2);
      assertThat(later).isNotDone();
      assertThat(writable).isNotDone();
      try (RetainedExchange exchange = asked.element()) { // closed: processed
        exchange.reply(new Ask(2));
      }
      assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).number()).isEqualTo(2);
      assertThat(later.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).number()).isEqualTo(3);
      assertThat(writable.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNull();
      assertThat(connection.state()).isEqualTo(ConnectionState.CLOSED);
      assertThat(one.metrics().connectionsLost() + two.metrics().connectionsLost()).isZero();
    }
  }

  @Test
  void shouldAnswerCallsWhileItConnectsAsTheStateSays() throws IOException {
    Duration brief = Duration.ofMillis(50);
    try (TestNodes nodes = new TestNodes("tcp");
        ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Node one = nodes.open(1);
      nodes.directory().put(7, "127.0.0.1:" + mute.getLocalPort());
      assertThat(one.trySend(7, new Event(1))).isEqualTo(SendStatus.NOT_CONNECTED);
      assertThat(one.trySend(7, new Event(1))).isEqualTo(SendStatus.NOT_CONNECTED);
      assertThatThrownBy(() -> one.send(7, new Event(1), brief))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("no connection in time: address=");
      assertThatThrownBy(() -> one.request(7, new Ask(1), Ask.class, brief))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("no connection in time: address=");
    }
  }

  @Test
  void shouldTryANodeThatWasStartedElsewhereAtOnce() {
    Queue<Long> arrived = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes.directory().put(7, "127.0.0.1:1"); // nobody listens
      await(
          "a back-off that lasts",
          () ->
              one.trySend(7, new Event(1)) == SendStatus.UNREACHABLE
                  && one.metrics().connectFailures() >= 8);
      nodes.open(7).handle(Event.class, (event, exchange) -> arrived.add(event.number()));
      one.send(7, new Event(2));
      await("the message", () -> arrived.contains(2L));
    }
  }

  // Closing a node.

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldAnswerWhatPeersHaveAskedBeforeItCloses(String transport) throws Exception {
    Queue<RetainedExchange> asked = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      one.handle(Ask.class, (ask, exchange) -> asked.add(exchange.retain()));
      Node two = nodes.open(2);
      CompletableFuture<Ask> waiting = two.requestAsync(1, new Ask(1), Ask.class, PATIENCE);
      await("the request", () -> asked.size() == 1);
      CompletableFuture<CloseReport> closed =
          CompletableFuture.supplyAsync(() -> one.close(PATIENCE));
      Connections connections = ((MessagingNode) two).connections();
      await(
          "the peer knows",
          () -> {
            Connection connection = connections.get(1);
            return connection != null && connection.state() == ConnectionState.DRAINING;
          });
      assertThat(closed).isNotDone();
      try (RetainedExchange exchange = asked.element()) { // closed: processed
        exchange.reply(new Ask(2));
      }
      assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).number()).isEqualTo(2);
      assertThat(closed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).isClean()).isTrue();
      assertThatThrownBy(() -> two.send(1, new Event(1), Duration.ofSeconds(5)))
          .isInstanceOf(NodeUnreachableException.class);
    }
  }

  @Test
  void shouldReportWhatItCouldNotDeliverWhenItCloses() throws IOException {
    int id = 50;
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      try (RawPeer _ = RawPeer.join(one, id)) { // never returns credit, never answers
        await("connected", () -> one.trySend(id, new Event(1)) == SendStatus.ACCEPTED);
        one.send(id, new Event(2));
        CompletableFuture<Ask> asked = one.requestAsync(id, new Ask(1), Ask.class, PATIENCE);
        CloseReport report = one.close(Duration.ofMillis(300));
        assertThat(report.isClean()).isFalse();
        assertThat(report.requestsCancelled()).isEqualTo(1);
        assertThat(report.undelivered()).hasSize(1);
        LossReport loss = report.undelivered().getFirst();
        assertThat(loss.nodeId()).isEqualTo(id);
        assertThat(loss.lost() + loss.uncertain()).isEqualTo(3);
        assertThat(asked).isCompletedExceptionally();
      }
    }
  }
}
