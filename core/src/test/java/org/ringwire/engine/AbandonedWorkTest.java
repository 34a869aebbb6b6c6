package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.Handler;
import org.ringwire.Node;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What a node has not handled when its time to close is over. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("InterruptedException")
class AbandonedWorkTest {

  private static final int COUNT = 50;
  private static final Duration SHORT = Duration.ofMillis(100);

  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();

  record Ask(long number) {}

  record Event(long number) {}

  /** Waits until it is released, or interrupted. */
  private <T> Handler<T> waiting() {
    return (message, exchange) -> {
      begun.incrementAndGet();
      release.await();
      if (exchange.isRequest()) {
        exchange.reply(message);
      }
    };
  }

  private static Node oneThread(TestNodes nodes) {
    return nodes.open(2, settings -> settings.handlerThreads(1));
  }

  private static List<CompletableFuture<Ask>> ask(Node from) {
    List<CompletableFuture<Ask>> answers = new ArrayList<>();
    for (int number = 0; number < COUNT; number++) {
      answers.add(from.requestAsync(2, new Ask(number), Ask.class));
    }
    return answers;
  }

  private static Dispatch dispatch(String mode) {
    return switch (mode) {
      case "POOLED" -> Dispatch.POOLED;
      case "POOLED_ORDERED" -> Dispatch.POOLED.inOrder();
      case "BLOCKING" -> Dispatch.BLOCKING;
      default -> Dispatch.BLOCKING.inOrder();
    };
  }

  /** The flusher of a node that closes ends when its connections have. */
  private static void awaitNothingButHandlers() {
    await(
        "the flusher has ended",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("ringwire-2-flusher")));
  }

  private void awaitArrival(Node node, int count) {
    await("all have arrived", () -> begun.get() > 0 && node.metrics().messagesReceived() == count);
  }

  @ParameterizedTest
  @CsvSource({"loopback,POOLED", "tcp,POOLED", "tcp,POOLED_ORDERED", "tcp,BLOCKING_ORDERED"})
  void shouldStartNoQueuedHandlerAndSayWhatItHasNotAnswered(String transport, String mode)
      throws Exception {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = oneThread(nodes);
      two.handle(Ask.class, dispatch(mode), waiting());
      List<CompletableFuture<Ask>> answers = ask(one);
      awaitArrival(two, COUNT);
      CloseReport report = two.close(SHORT);
      assertThat(report.isComplete()).isTrue();
      assertThat(report.isClean()).isFalse();
      assertThat(report.abandoned()).isGreaterThanOrEqualTo(COUNT - 1);
      release.countDown();
      for (CompletableFuture<Ask> answer : answers) {
        assertThat(answer.handle((value, failure) -> failure).get()).isNotNull();
      }
      awaitNoMore(two);
      assertThat(begun).hasValue(1);
    }
  }

  /** What was queued is thrown away behind the handler that has begun, once that has ended. */
  private static void awaitNoMore(Node node) {
    await("the handler has ended", () -> node.metrics().messagesHandled() == 1);
    await("its thread has", () -> node.metrics().handlers().busy() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSayThatOneWayMessagesWereNotHandled(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = oneThread(nodes);
      two.handle(Event.class, waiting());
      for (int number = 0; number < COUNT; number++) {
        one.send(2, new Event(number));
      }
      awaitArrival(two, COUNT);
      CloseReport report = two.close(SHORT);
      assertThat(report.isClean()).isFalse();
      assertThat(report.abandoned()) // the first was interrupted, and may not have ended by then
          .isBetween(COUNT - 1L, (long) COUNT);
      assertThat(report.unanswered()).isZero();
      assertThat(begun).hasValue(1);
    }
  }

  @Test
  void shouldSayThatAnAnswerCameTooLate() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = oneThread(nodes);
      two.handle(
          Ask.class,
          (ask, exchange) -> {
            begun.incrementAndGet();
            try {
              release.await();
            } catch (InterruptedException e) { // the time is over
              exchange.reply(ask);
            }
          });
      CompletableFuture<Ask> answer = one.requestAsync(2, new Ask(1), Ask.class);
      awaitArrival(two, 1);
      CloseReport report = two.close(SHORT);
      assertThat(report.abandoned() + report.unanswered()) // it may take long to be interrupted
          .isEqualTo(1);
      assertThat(report.isClean()).isFalse();
      assertThat(answer).isCompletedExceptionally();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POOLED", "BLOCKING", "BLOCKING_ORDERED"})
  void shouldHandleWhatCameFromALostPeerUntilItsTimeIsOver(String mode) {
    AtomicInteger handled = new AtomicInteger();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = oneThread(nodes);
      two.handle(
          Event.class,
          dispatch(mode),
          (event, exchange) -> {
            begun.incrementAndGet();
            release.await();
            handled.incrementAndGet();
          });
      for (int number = 0; number < COUNT; number++) {
        one.send(2, new Event(number));
      }
      awaitArrival(two, COUNT);
      one.close(SHORT); // which cuts the connection
      CompletableFuture<CloseReport> report =
          CompletableFuture.supplyAsync(() -> two.close(PATIENCE));
      awaitNothingButHandlers();
      release.countDown();
      assertThat(report.join().isClean()).isTrue();
      assertThat(handled).hasValue(COUNT);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POOLED", "BLOCKING"})
  void shouldNotReportAnswersToAPeerThatWasGoneBefore(String mode) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = oneThread(nodes);
      two.handle(Ask.class, dispatch(mode), waiting());
      List<CompletableFuture<Ask>> answers = ask(one);
      awaitArrival(two, COUNT);
      one.close(SHORT);
      await("the peer is gone", () -> two.metrics().connections().isEmpty());
      CompletableFuture<CloseReport> report =
          CompletableFuture.supplyAsync(() -> two.close(PATIENCE));
      awaitNothingButHandlers();
      release.countDown();
      assertThat(report.join()).isEqualTo(new CloseReport(List.of(), 0));
      assertThat(begun).hasValue(COUNT);
      assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
    }
  }

  /** As above, though their handlers are never called. */
  @ParameterizedTest
  @ValueSource(strings = {"POOLED", "POOLED_ORDERED", "BLOCKING_ORDERED"})
  void shouldReportThatRequestsOfAPeerThatWasGoneBeforeWereNotHandledAndNothingElse(String mode) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      Node two = oneThread(nodes);
      two.handle(Ask.class, dispatch(mode), waiting());
      List<CompletableFuture<Ask>> answers = ask(one);
      awaitArrival(two, COUNT);
      one.close(SHORT);
      await("the peer is gone", () -> two.metrics().connections().isEmpty());
      CloseReport report = two.close(SHORT);
      release.countDown();
      assertThat(report.abandoned()).isGreaterThanOrEqualTo(COUNT - 1);
      assertThat(report.unanswered()).isZero();
      assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
    }
  }
}
