package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.BackPressureException;
import org.ringwire.CloseReport;
import org.ringwire.ConnectionLostException;
import org.ringwire.Dispatch;
import org.ringwire.MemoryLimitException;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeListener;
import org.ringwire.RequestTimeoutException;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.connection.link.DataPath;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** How connections, requests and nodes end, and what is said of it. */
@ExtendWith(NodeWatcher.class)
class EndsTest {

  record Ask(long number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    MemoryBudget.limit(Long.MAX_VALUE);
    nodes.close();
  }

  @Test
  void shouldCountConnectionsClosedInOrderApartFromThoseLost() throws IOException {
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    two.send(1, new Ask(1));
    await("connected", () -> one.metrics().messagesReceived() == 1);
    two.close();
    await("both see it", () -> one.metrics().connections().isEmpty());
    assertThat(two.metrics().connectionsClosed()).isEqualTo(1);
    assertThat(two.metrics().connectionsLost()).isZero();
    assertThat(one.metrics().connectionsClosed()).isEqualTo(1);
    assertThat(one.metrics().connectionsLost()).isZero();
    RawPeer.join(one, 3).close(); // without a word
    await("the loss", () -> one.metrics().connectionsLost() == 1);
    try (RawPeer peer = RawPeer.join(one, 4)) {
      peer.send(frame(FrameLayout.CLOSE, 1)).close();
    }
    await("the other end in order", () -> one.metrics().connectionsClosed() == 2);
    assertThat(one.metrics().connectionsLost()).isEqualTo(1);
  }

  /** Nothing of it is in the report of a close that comes later. */
  @Test
  void shouldCountWhatIsUncertainWhenAPeerClosesInOrder() {
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
    for (int number = 0; number < 3; number++) {
      one.send(2, new Ask(number));
    }
    await("all have come", () -> retained.size() == 3);
    assertThat(one.metrics().messagesUncertain()).isZero();
    assertThat(two.close(Duration.ZERO).abandoned()).isEqualTo(3);
    await("they are counted", () -> one.metrics().messagesUncertain() == 3);
    assertThat(one.metrics().connectionEnds()).containsOnlyKeys("PEER_CLOSED");
    assertThat(one.metrics().messagesLost()).isZero();
    retained.forEach(RetainedExchange::close);
    assertThat(one.close(PATIENCE).isClean()).isTrue();
    assertThat(one.metrics().messagesUncertain()).isEqualTo(3);
  }

  @Test
  void shouldReturnTheSameReportToAllThatClose() throws InterruptedException {
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
    CompletableFuture<Ask> open = one.requestAsync(2, new Ask(1), Ask.class, PATIENCE);
    await("the request", () -> retained.size() == 1);
    Queue<CloseReport> reports = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    threads.add(Thread.ofPlatform().start(() -> reports.add(one.close(Duration.ofMillis(500)))));
    await("the first has begun", () -> one.trySend(2, new Ask(2)) == SendStatus.CLOSED);
    assertThat(one.close(Duration.ZERO)).as("no time to wait").isNotNull();
    for (int count = 0; count < 4; count++) {
      threads.add(Thread.ofPlatform().start(() -> reports.add(one.close(PATIENCE))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    CloseReport report = one.close(PATIENCE);
    assertThat(report.requestsCancelled()).isEqualTo(1);
    assertThat(reports).hasSize(5).containsOnly(report);
    assertThat(open).isCompletedExceptionally();
    retained.forEach(RetainedExchange::close);
  }

  @Test
  void shouldGiveUpARequestWhoseFutureIsCancelled() {
    Node one = nodes.open(1, settings -> settings.maxRequests(2));
    Node two = nodes.open(2);
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
    CompletableFuture<Ask> unwanted = one.requestAsync(2, new Ask(1), Ask.class, PATIENCE);
    await("the request", () -> retained.size() == 1);
    assertThat(unwanted.cancel(false)).isTrue();
    await("its place is free", () -> one.metrics().requestsOutstanding() == 0);
    CompletableFuture<Ask> next = one.requestAsync(2, new Ask(2), Ask.class, PATIENCE);
    await("the next request", () -> retained.size() == 2);
    reply(retained.remove(), 10);
    await("nobody waits for that one", () -> one.metrics().lateResponses() == 1);
    assertThat(next).isNotDone();
    reply(retained.remove(), 20);
    assertThat(next.orTimeout(30, TimeUnit.SECONDS).join().number()).isEqualTo(20);
  }

  /** Who asks has had enough, however that is said: a place that stays taken is one too few. */
  @Test
  void shouldGiveUpARequestWhoseFutureIsEndedByWhoAsked() {
    Node one = nodes.open(1, settings -> settings.maxRequests(2));
    Node two = nodes.open(2);
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
    List<UnaryOperator<CompletableFuture<Ask>>> ends =
        List.of(
            future -> future.orTimeout(1, TimeUnit.MILLISECONDS),
            future -> future.completeOnTimeout(new Ask(9), 1, TimeUnit.MILLISECONDS));
    Duration longer = PATIENCE.multipliedBy(2); // than this test waits
    for (UnaryOperator<CompletableFuture<Ask>> end : ends) {
      CompletableFuture<Ask> unwanted = one.requestAsync(2, new Ask(1), Ask.class, longer);
      await("the request", () -> retained.size() == 1);
      await("its end", () -> end.apply(unwanted).isDone());
      await("its place is free", () -> one.metrics().requestsOutstanding() == 0);
      reply(retained.remove(), 10);
    }
    await("nobody waits for these", () -> one.metrics().lateResponses() == 2);
  }

  @Test
  void shouldNotSendWhatIsCancelledWhileItWaitsForRoom() throws Exception {
    Node one = nodes.open(1);
    Node two = nodes.open(2, settings -> settings.window(64 << 10, 64 << 10));
    CountDownLatch mayGoOn = new CountDownLatch(1);
    Queue<Long> asked = new ConcurrentLinkedQueue<>();
    two.handle(
        Ask.class,
        Dispatch.POOLED.inOrder(),
        (ask, exchange) -> {
          asked.add(ask.number());
          if (exchange.isRequest()) {
            exchange.reply(ask);
          } else {
            assertThat(mayGoOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
          }
        });
    assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
    await( // what the first request has taken is given back, and taken
        "there is no room",
        () -> {
          boolean isCredited = dataOf(one).totals().processed() == 1;
          while (one.trySend(2, new Ask(0)) == SendStatus.ACCEPTED) {
            Thread.onSpinWait();
          }
          return isCredited;
        });
    CompletableFuture<Ask> unwanted = one.requestAsync(2, new Ask(7), Ask.class, PATIENCE);
    await("it waits for room", () -> waitingSenders(one) == 1);
    assertThat(unwanted.cancel(false)).isTrue();
    await("its place is free", () -> one.metrics().requestsOutstanding() == 0);
    mayGoOn.countDown();
    await("nobody waits for room", () -> waitingSenders(one) == 0);
    assertThat(one.request(2, new Ask(8), Ask.class, PATIENCE)).isEqualTo(new Ask(8));
    assertThat(asked).contains(8L).doesNotContain(7L);
  }

  private static DataPath dataOf(Node node) {
    PeerSession data = ((MessagingNode) node).connections().all().getFirst().dataSession();
    return data.data();
  }

  private static int waitingSenders(Node node) {
    return dataOf(node).current().stalls().waiting();
  }

  @Test
  void shouldEndTheFutureOfARequestForWhichThereIsNoMemory() {
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    two.handle(Block.class, (block, exchange) -> exchange.reply(new Ask(block.bytes().length)));
    assertThat(one.request(2, new Block(new byte[1]), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
    MemoryBudget.limit(MemoryBudget.committed() + (1 << 20));
    CompletableFuture<Ask> future =
        one.requestAsync(2, new Block(new byte[4 << 20]), Ask.class, PATIENCE);
    assertThatThrownBy(() -> future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(MemoryLimitException.class);
  }

  @Test
  void shouldSayWhichRequestHadNoAnswerAndForHowLong() {
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
    Duration shortly = Duration.ofMillis(321);
    String what = "messageType=" + Ask.class.getName() + " timeout=PT0.321S";
    assertThat(one.connect(String.valueOf(two.address()), PATIENCE)).isEqualTo(2); // in its time
    assertThatThrownBy(() -> one.request(2, new Ask(1), Ask.class, shortly))
        .isInstanceOf(RequestTimeoutException.class)
        .hasMessageContaining("nodeId=2 " + what);
    CompletableFuture<Ask> late = one.requestAsync(2, new Ask(2), Ask.class, shortly);
    assertThatThrownBy(() -> late.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(RequestTimeoutException.class)
        .hasMessageContaining("nodeId=2 " + what);
    CompletableFuture<Ask> lost = one.requestAsync(2, new Ask(3), Ask.class, PATIENCE);
    await("all requests", () -> retained.size() == 3);
    two.close(Duration.ZERO);
    assertThatThrownBy(() -> lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(ConnectionLostException.class)
        .hasMessageContaining("messageType=" + Ask.class.getName());
    retained.forEach(RetainedExchange::close);
  }

  @Test
  void shouldEndFuturesOfRequestsThatComeAfterTheClose() {
    Node used = nodes.open(1);
    nodes.open(2).handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    CompletableFuture<Ask> first = used.requestAsync(2, new Ask(1), Ask.class, PATIENCE);
    assertThat(first.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join().number()).isOne();
    for (Node node : List.of(used, nodes.open(3))) {
      node.close();
      CompletableFuture<Ask> late = node.requestAsync(2, new Ask(2), Ask.class, PATIENCE);
      assertThatThrownBy(() -> late.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(NodeClosedException.class);
    }
  }

  /** For those who do not want to think about timeouts. */
  @Test
  void shouldTakeTheLongestTimeoutThatThereIs() throws Exception {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    two.handle(
        Ask.class,
        (ask, exchange) -> {
          if (exchange.isRequest()) {
            exchange.reply(ask);
          }
        });
    one.send(2, new Ask(1), forever);
    assertThat(one.request(2, new Ask(2), Ask.class, forever).number()).isEqualTo(2);
    CompletableFuture<Ask> future = one.requestAsync(2, new Ask(3), Ask.class, forever);
    assertThat(future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).number()).isEqualTo(3);
    assertThat(one.connect(String.valueOf(two.address()), forever)).isEqualTo(2);
    assertThat(one.close(forever).requestsCancelled()).isZero();
  }

  private static void reply(RetainedExchange exchange, long number) {
    try (exchange) {
      exchange.reply(new Ask(number));
    }
  }

  @Test
  void shouldEndEachRequestOfALostConnectionWithAnExceptionOfItsOwn() throws Exception {
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    CountDownLatch asked = new CountDownLatch(3);
    CountDownLatch ended = new CountDownLatch(1);
    two.handle(
        Ask.class,
        Dispatch.BLOCKING,
        (ask, exchange) -> {
          asked.countDown();
          assertThat(ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        });
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int count = 0; count < 3; count++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  one.request(2, new Ask(1), Ask.class, PATIENCE);
                } catch (MessagingException e) {
                  failures.add(e);
                }
              }));
    }
    assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    two.close(Duration.ofMillis(1));
    for (Thread thread : threads) {
      thread.join();
    }
    ended.countDown();
    assertThat(failures).hasSize(3).allMatch(e -> e instanceof ConnectionLostException);
    Set<Throwable> distinct = new HashSet<>(failures); // by identity
    assertThat(distinct).hasSize(3);
    assertThat(failures).allMatch(e -> e.getSuppressed().length == 1);
  }

  @Test
  void shouldNameTheLimitThatFailsRequestsWithoutWaiting() throws Exception {
    Node one = nodes.open(1, settings -> settings.maxRequests(2));
    Node two = nodes.open(2);
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    two.handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
    List<CompletableFuture<Ask>> open = new ArrayList<>();
    for (int count = 0; count < 2; count++) {
      open.add(one.requestAsync(2, new Ask(count), Ask.class, PATIENCE));
    }
    await("both are under way", () -> retained.size() == 2);
    CompletableFuture<Ask> third = one.requestAsync(2, new Ask(3), Ask.class, PATIENCE);
    assertThatThrownBy(() -> third.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(BackPressureException.class)
        .hasMessageContaining("maxRequests=2");
    assertThatThrownBy(() -> one.request(2, new Ask(3), Ask.class, PATIENCE))
        .isInstanceOf(BackPressureException.class)
        .hasMessageContaining("maxRequests=2");
    retained.forEach(exchange -> exchange.reply(new Ask(9)));
    for (CompletableFuture<Ask> future : open) {
      assertThat(future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(9));
    }
    retained.forEach(RetainedExchange::close);
  }

  @Test
  void shouldSayOnceWhatCannotBeListenedOn() {
    String taken = String.valueOf(nodes.open(1).address());
    NodeConfig config = NodeConfig.builder(2).listen(taken).build();
    assertThatThrownBy(() -> Node.open(config))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("cannot listen: address=" + taken)
        .satisfies(
            e -> assertThat(String.valueOf(e.getMessage()).split("cannot listen", -1)).hasSize(2));
  }

  @Test
  void shouldSayThatAPeerIsUnknownWhoseHelloCannotBeRead() throws IOException {
    Queue<Integer> refused = new ConcurrentLinkedQueue<>();
    Node one =
        nodes.open(
            1,
            settings ->
                settings.listener(
                    new NodeListener() {
                      @Override
                      public void refused(int nodeId, String reason) {
                        refused.add(nodeId);
                      }
                    }));
    try (RawPeer peer = RawPeer.connect(one)) {
      peer.send(new byte[64]).awaitEnd();
    }
    try (RawPeer peer = RawPeer.connect(one)) {
      peer.send(RawPeer.hello(77, 5, "another cluster").encode()).awaitEnd();
    }
    await("both refusals", () -> refused.size() == 2);
    assertThat(refused).containsExactly(NodeListener.UNKNOWN_NODE, 77);
  }
}
