package org.ringwire.lessons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What went wrong elsewhere with connections, tried on ours; by number of the lesson. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class ConnectionLessonsTest {

  record Ask(long number) {}

  record Answer(long number) {}

  record Event(long number) {}

  // 7

  @Test
  void shouldBindTheConfiguredAddressOnly() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      String address = String.valueOf(nodes.open(1).address());
      assertThat(address).startsWith("127.0.0.1:");
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      try (ServerSocket other = new ServerSocket()) { // a node on the wildcard would be in the way
        other.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), port));
        assertThat(other.isBound()).isTrue();
      }
    }
  }

  // 11

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldNeverCompleteAnotherRequestWithALateResponse(String transport) {
    Queue<RetainedExchange> late = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.maxRequests(2));
      Node two = nodes.open(2);
      two.handle(Ask.class, (ask, exchange) -> late.add(exchange.retain()));
      one.send(2, new Event(0)); // connects; nobody handles it
      for (int number = 0; number < 4; number++) {
        Ask ask = new Ask(number);
        assertThatThrownBy(() -> one.request(2, ask, Answer.class, Duration.ofMillis(200)))
            .isInstanceOf(RequestTimeoutException.class);
      }
      await("four late requests", () -> late.size() == 4);
      CompletableFuture<Answer> first = one.requestAsync(2, new Ask(5), Answer.class);
      CompletableFuture<Answer> second = one.requestAsync(2, new Ask(6), Answer.class);
      await("six requests", () -> late.size() == 6);
      List<RetainedExchange> exchanges = List.copyOf(late);
      for (int index = 0; index < 4; index++) {
        exchanges.get(index).reply(new Answer(-1));
      }
      await("late responses are counted", () -> one.metrics().lateResponses() == 4);
      assertThat(first).isNotDone();
      assertThat(second).isNotDone();
      exchanges.get(4).reply(new Answer(50));
      exchanges.get(5).reply(new Answer(60));
      assertThat(first.orTimeout(30, TimeUnit.SECONDS).join().number()).isIn(50L, 60L);
      assertThat(second.orTimeout(30, TimeUnit.SECONDS).join().number()).isIn(50L, 60L);
      assertThat(first.join()).isNotEqualTo(second.join());
      late.forEach(RetainedExchange::close);
    }
  }

  // 12

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSayWhenNothingWasSent(String transport) {
    Queue<LossReport> losses = new ConcurrentLinkedQueue<>();
    NodeListener listener =
        new NodeListener() {
          @Override
          public void lost(LossReport report) {
            losses.add(report);
          }
        };
    AtomicLong handled = new AtomicLong();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.listener(listener));
      Node two = nodes.open(2);
      two.handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      assertThat(one.trySend(3, new Event(1))).isEqualTo(SendStatus.UNKNOWN_NODE);
      assertThatThrownBy(() -> one.send(3, new Event(1)))
          .isInstanceOf(NodeUnreachableException.class);
      one.send(2, new Event(1));
      two.close();
      await("the loss is told", () -> losses.size() == 1);
      LossReport loss = losses.element();
      assertThat(loss.isClean()).isEqualTo(loss.lost() + loss.uncertain() == 0);
      assertThat(loss.nodeId()).isEqualTo(2);
      assertThat(loss.accepted()).isEqualTo(1);
      assertThat(loss.processed() + loss.lost() + loss.uncertain()).isEqualTo(1);
      assertThatThrownBy(() -> one.send(2, new Event(2), Duration.ofSeconds(2)))
          .isInstanceOf(NodeUnreachableException.class);
      assertThat(one.trySend(2, new Event(3))).isNotEqualTo(SendStatus.ACCEPTED);
      one.close();
      assertThat(one.trySend(2, new Event(4))).isEqualTo(SendStatus.CLOSED);
      assertThatThrownBy(() -> one.send(2, new Event(5))).isInstanceOf(NodeClosedException.class);
      assertThat(handled).hasValueLessThanOrEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSendToItself(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      AtomicInteger events = new AtomicInteger();
      one.handle(Event.class, (event, exchange) -> events.incrementAndGet());
      one.handle(Ask.class, (ask, exchange) -> exchange.reply(new Answer(exchange.source())));
      for (int number = 0; number < 1000; number++) {
        one.send(1, new Event(number));
      }
      assertThat(one.request(1, new Ask(0), Answer.class, PATIENCE).number()).isEqualTo(1);
      await("all events", () -> events.get() == 1000);
    }
  }

  @Test
  void shouldSayThatANodeWithoutListenerCannotSendToItself() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node alone = nodes.openWithoutListener(1);
      assertThatThrownBy(() -> alone.send(1, new Event(1)))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("does not listen");
    }
  }

  // 14

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldDeliverEverythingAcceptedBeforeItCloses(String transport) {
    int count = 20_000;
    AtomicInteger handled = new AtomicInteger();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      CountDownLatch begin = new CountDownLatch(1);
      two.handle(
          Event.class,
          Dispatch.POOLED.inOrder(),
          (event, exchange) -> {
            assertThat(begin.await(30, TimeUnit.SECONDS)).isTrue();
            handled.incrementAndGet();
          });
      for (int number = 0; number < count / 20; number++) {
        one.send(2, new Event(number));
      }
      Thread rest =
          Thread.startVirtualThread(() -> {
            for (int number = count / 20; number < count; number++) {
              one.send(2, new Event(number));
            }
            begin.countDown();
          });
      begin.countDown();
      assertThat(join(rest)).isTrue();
      CloseReport report = one.close(PATIENCE);
      assertThat(report.isClean()).as("%s", report).isTrue();
      assertThat(handled).hasValue(count);
    }
  }

  @Test
  void shouldWaitForDueResponsesWhenItCloses() {
    Queue<RetainedExchange> asked = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes.open(2).handle(Ask.class, (ask, exchange) -> asked.add(exchange.retain()));
      CompletableFuture<Answer> answer = one.requestAsync(2, new Ask(1), Answer.class);
      await("the request", () -> asked.size() == 1);
      CompletableFuture<CloseReport> closed =
          CompletableFuture.supplyAsync(() -> one.close(PATIENCE));
      await(
          "the close has begun",
          () -> one.trySend(2, new Event(1)) == SendStatus.CLOSED && !closed.isDone());
      try (RetainedExchange exchange = asked.element()) {
        exchange.reply(new Answer(7));
      }
      assertThat(answer.orTimeout(30, TimeUnit.SECONDS).join().number()).isEqualTo(7);
      assertThat(closed.join().requestsCancelled()).isZero();
    }
  }

  private static boolean join(Thread thread) {
    try {
      return thread.join(PATIENCE);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // 15

  @Test
  void shouldConnectAfterAFailedAttempt() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes.directory().put(2, "127.0.0.1:1");
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThatThrownBy(() -> one.send(2, new Event(1), PATIENCE))
            .isInstanceOf(NodeUnreachableException.class);
      }
      AtomicInteger handled = new AtomicInteger();
      nodes.open(2).handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      await("the back-off ends", () -> one.trySend(2, new Event(2)) == SendStatus.ACCEPTED);
      await("the event", () -> handled.get() == 1);
    }
  }

  // 21

  @Test
  void shouldParkWithoutPollingWhileNothingHappens() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes.open(2).handle(Ask.class, (ask, exchange) -> exchange.reply(new Answer(1)));
      assertThat(one.request(2, new Ask(1), Answer.class, PATIENCE).number()).isEqualTo(1);
      await(
          "handlers and flushers wait without a time",
          () ->
              Thread.getAllStackTraces().keySet().stream()
                  .filter(thread -> thread.getName().matches("ringwire-.*-(handler-.*|flusher)"))
                  .allMatch(thread -> thread.getState() == Thread.State.WAITING));
    }
  }
}
