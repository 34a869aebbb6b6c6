package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.SendStatus;
import org.ringwire.testing.NodeWatcher;

/** Whom a full window holds back, and whom it does not. */
@ExtendWith(NodeWatcher.class)
class FlowControlTest {

  private static final int WINDOW = 64 << 10;

  record Event(long number) {}

  record Ask(long number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Nested(int depth, byte[] bytes) {}

  private static Node open(TestNodes nodes, int id) {
    return nodes.open(id, settings -> settings.window(WINDOW, WINDOW));
  }

  /** Sends until the window is full; how many were accepted. */
  private static int fill(Node from, int to) {
    from.send(to, new Event(0));
    int accepted = 1;
    while (from.trySend(to, new Event(accepted)) == SendStatus.ACCEPTED) {
      accepted++;
    }
    return accepted;
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldStallOnlyTheSendersOfASlowReceiver(String transport) throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger slow = new AtomicInteger();
    AtomicInteger fast = new AtomicInteger();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = open(nodes, 1);
      open(nodes, 2)
          .handle(
              Event.class,
              (event, exchange) -> {
                assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                slow.incrementAndGet();
              });
      open(nodes, 3).handle(Event.class, (event, exchange) -> fast.incrementAndGet());
      int accepted = fill(one, 2);
      Thread stalled = Thread.ofPlatform().start(() -> one.send(2, new Event(-1)));
      int count = 20 * WINDOW / 16; // many windows
      for (int number = 0; number < count; number++) {
        one.send(3, new Event(number));
      }
      await("the fast receiver has all", () -> fast.get() == count);
      assertThat(slow).hasValue(0);
      assertThat(stalled.isAlive()).isTrue();
      assertThat(one.trySend(2, new Event(-2))).isEqualTo(SendStatus.BACK_PRESSURED);
      release.countDown();
      assertThat(stalled.join(PATIENCE)).isTrue();
      await("the slow one, too", () -> slow.get() == accepted + 1);
    }
  }

  /** No look for signs of life tells what was processed. */
  private static Node openWithoutLooks(TestNodes nodes, int id) {
    return nodes.open(
        id, settings -> settings.window(WINDOW, WINDOW).keepAlive(Duration.ofHours(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldCreditTheRestOfAWindowThatSlowHandlersHold(String transport) {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger handled = new AtomicInteger();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = openWithoutLooks(nodes, 1);
      Node two = openWithoutLooks(nodes, 2);
      two.handle(
          Nested.class,
          Dispatch.BLOCKING,
          (nested, exchange) -> assertThat(release.await(60, TimeUnit.SECONDS)).isTrue());
      two.handle(Event.class, (event, exchange) -> handled.incrementAndGet());
      for (int number = 0; number < 3; number++) {
        one.send(2, new Nested(number, new byte[WINDOW / 4]));
      }
      int count = 4 * WINDOW / 16; // many times the rest
      for (int number = 0; number < count; number++) {
        one.send(2, new Event(number));
      }
      await("all others are handled", () -> handled.get() == count);
      release.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldCreditWhatWasHandledBeforeASlowHandlerInTheSameBatch(String transport) {
    int last = WINDOW / 16 - 8; // the window holds little more
    CountDownLatch allCame = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger handled = new AtomicInteger();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = openWithoutLooks(nodes, 1);
      Node two = openWithoutLooks(nodes, 2);
      two.handle(Ask.class, Dispatch.BLOCKING, (ask, exchange) -> exchange.reply(ask));
      two.handle(
          Event.class,
          Dispatch.POOLED.inOrder(),
          (event, exchange) -> {
            if (event.number() == 0) {
              assertThat(allCame.await(60, TimeUnit.SECONDS)).isTrue();
            } else if (event.number() == last) {
              assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
            }
            handled.incrementAndGet();
          });
      for (int number = 0; number <= last; number++) {
        one.send(2, new Event(number));
      }
      await("they wait", () -> two.metrics().messagesReceived() == 1 + last);
      allCame.countDown();
      await("all but the last one", () -> handled.get() == last);
      for (int number = 0; number < 100; number++) {
        assertThat(one.request(2, new Ask(number), Ask.class, PATIENCE).number()).isEqualTo(number);
      }
      release.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldLetResponsesAndCreditPassAFullWindow(String transport) {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger handled = new AtomicInteger();
    AtomicInteger back = new AtomicInteger();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = open(nodes, 1);
      Node two = open(nodes, 2);
      one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      one.handle(Event.class, (event, exchange) -> back.incrementAndGet());
      two.handle(
          Ask.class,
          Dispatch.BLOCKING,
          (ask, exchange) -> {
            assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
            exchange.reply(ask);
          });
      two.handle(
          Event.class,
          (event, exchange) -> {
            assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
            handled.incrementAndGet();
          });
      CompletableFuture<Ask> before = one.requestAsync(2, new Ask(7), Ask.class);
      int accepted = fill(one, 2);
      // The responses that one owes and the credit that it gives share its way with what is stuck.
      int count = 4 * WINDOW / 16;
      for (int number = 0; number < count; number++) {
        two.send(1, new Event(number));
        if (number % 1024 == 0) {
          assertThat(two.request(1, new Ask(number), Ask.class, PATIENCE).number())
              .isEqualTo(number);
        }
      }
      await("the other direction", () -> back.get() == count);
      assertThat(before).isNotDone();
      assertThat(one.trySend(2, new Event(-2))).isEqualTo(SendStatus.BACK_PRESSURED);
      release.countDown();
      assertThat(before.orTimeout(30, TimeUnit.SECONDS).join().number()).isEqualTo(7);
      await("what was stuck", () -> handled.get() == accepted);
    }
  }

  /** Answers a nested request when the other side has answered the one that is inside of it. */
  private static void askBack(Node node, int other, Dispatch dispatch) {
    node.handle(
        Nested.class,
        dispatch,
        (nested, exchange) -> {
          if (nested.depth() > 0) {
            Nested inner = new Nested(nested.depth() - 1, nested.bytes());
            assertThat(node.request(other, inner, Ask.class, PATIENCE).number()).isZero();
          }
          exchange.reply(new Ask(0));
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void shouldLetBlockingHandlersOfBothSidesNestWhileWindowsAreFull(int depth) {
    nest(Dispatch.BLOCKING, depth, 100);
  }

  /** As many as may wait: more than fill the windows. */
  @Test
  void shouldLetPooledHandlersOfBothSidesNestWhileWindowsAreFull() {
    nest(Dispatch.POOLED, 1, 40);
  }

  /**
   * Handlers hold many times the window, all of it lent, and then ask with what is longer than the
   * window: there is never credit for that, so it has to be announced.
   */
  @Test
  void shouldAnnounceWhatExceedsTheWindowHoweverMuchIsLent() throws Exception {
    byte[] bytes = new byte[4 << 10];
    byte[] longer = new byte[90_000];
    int requests = 64; // the last ones come only because the first ones have lent what they hold
    CountDownLatch all = new CountDownLatch(requests);
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1);
      Node two = open(nodes, 2);
      two.handle(
          Nested.class,
          Dispatch.BLOCKING,
          (nested, exchange) -> {
            if (nested.depth() > 0) {
              assertThat(two.request(1, new Ask(0), Ask.class, PATIENCE).number()).isZero();
            }
            exchange.reply(new Ask(0));
          });
      one.handle(
          Ask.class,
          Dispatch.BLOCKING,
          (ask, exchange) -> {
            all.countDown();
            assertThat(all.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            exchange.reply(one.request(2, new Nested(0, longer), Ask.class, PATIENCE));
          });
      List<CompletableFuture<Ask>> answers = new ArrayList<>();
      for (int count = 0; count < requests; count++) {
        answers.add(one.requestAsync(2, new Nested(1, bytes), Ask.class));
      }
      for (CompletableFuture<Ask> answer : answers) {
        assertThat(answer.orTimeout(60, TimeUnit.SECONDS).join().number()).isZero();
      }
    }
  }

  private static void nest(Dispatch dispatch, int depth, int requests) {
    byte[] bytes = new byte[4 << 10]; // sixteen fill a window
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1);
      Node two = open(nodes, 2);
      askBack(one, 2, dispatch);
      askBack(two, 1, dispatch);
      List<CompletableFuture<Ask>> answers = new ArrayList<>();
      for (int count = 0; count < requests; count++) {
        answers.add(one.requestAsync(2, new Nested(depth, bytes), Ask.class));
        answers.add(two.requestAsync(1, new Nested(depth, bytes), Ask.class));
      }
      for (CompletableFuture<Ask> answer : answers) {
        assertThat(answer.orTimeout(60, TimeUnit.SECONDS).join().number()).isZero();
      }
    }
  }
}
