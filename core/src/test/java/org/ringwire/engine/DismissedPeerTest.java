package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.Node;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RetainedExchange;
import org.ringwire.SendStatus;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.ConnectionState;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;

/**
 * A handler that sends back while the connection is dismissed that its message came by does not
 * wait for itself: that connection ends when the message is processed.
 */
@ExtendWith(NodeWatcher.class)
class DismissedPeerTest {

  /** Nobody waits for so long, nor has a drain patience for it. */
  private static final Duration FOREVER = Duration.ofHours(1);

  private static final int FIRST_WINDOW = 64 << 10;

  record Ping(long number) {}

  record Pong(long number) {}

  record Block(String text) {}

  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final CompletableFuture<Object> arrived = new CompletableFuture<>();
  private final CompletableFuture<Object> returned = new CompletableFuture<>();

  /** How a handler sends back. */
  private interface Way {
    void send(Node node) throws Exception;
  }

  @AfterEach
  void end() {
    release.countDown();
  }

  private static Node open(TestNodes nodes, int id) {
    return nodes.open(id, settings -> settings.sendTimeout(FOREVER).requestTimeout(FOREVER));
  }

  private Node openFirst(TestNodes nodes) {
    Node one = open(nodes, 1);
    one.handle(
        Pong.class,
        (pong, exchange) -> {
          arrived.complete(pong);
          if (exchange.isRequest()) {
            exchange.reply(pong);
          }
        });
    return one;
  }

  private Node openSecond(TestNodes nodes, Dispatch.Mode mode, Way way) {
    Node two = open(nodes, 2);
    two.handle(
        Ping.class,
        new Dispatch(mode, false),
        (ping, exchange) -> {
          inside.countDown();
          release.await();
          try {
            way.send(two);
            returned.complete("sent");
          } catch (Exception e) {
            returned.complete(e);
          }
          if (exchange.isRequest()) {
            exchange.fail("sent back or not");
          }
        });
    return two;
  }

  private void dismissWhileInside(Node node, Node peer) throws InterruptedException {
    inside.await();
    connection(node, peer.id())
        .drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime());
    await("both know", () -> isDraining(node, peer.id()) && isDraining(peer, node.id()));
    release.countDown();
  }

  private static Connection connection(Node node, int peer) {
    Connection connection = ((MessagingNode) node).connections().get(peer);
    assertThat(connection).isNotNull();
    return connection;
  }

  private static boolean isDraining(Node node, int peer) {
    return connection(node, peer).state() == ConnectionState.DRAINING;
  }

  @ParameterizedTest
  @CsvSource({"POOLED, 1", "POOLED, 2", "BLOCKING, 1", "BLOCKING, 2"})
  void shouldHearFromTheHandlerOfAMessageByTheNextConnection(Dispatch.Mode mode, int by)
      throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two = openSecond(nodes, mode, node -> node.send(1, new Pong(1)));
      one.send(2, new Ping(1));
      dismissWhileInside(by == 1 ? one : two, by == 1 ? two : one);
      await("it is sent", returned::isDone);
      assertThat(returned).isCompletedWithValue("sent");
      await("it has arrived", arrived::isDone);
      assertThat(two.metrics().messagesHandled()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Dispatch.Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void shouldBeAskedByTheNextConnection(Dispatch.Mode mode) throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two = openSecond(nodes, mode, node -> node.request(1, new Pong(1), Pong.class, FOREVER));
      one.send(2, new Ping(1));
      dismissWhileInside(one, two);
      await("it is answered", returned::isDone);
      assertThat(returned).isCompletedWithValue("sent");
    }
  }

  @ParameterizedTest
  @EnumSource(value = Dispatch.Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void shouldNotBeWaitedForByTheHandlerOfItsRequest(Dispatch.Mode mode) throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two = openSecond(nodes, mode, node -> node.send(1, new Pong(1)));
      CompletableFuture<Pong> answer = one.requestAsync(2, new Ping(1), Pong.class, FOREVER);
      dismissWhileInside(two, one);
      await("the handler is told", returned::isDone);
      assertThat(returned.join())
          .isInstanceOf(NodeUnreachableException.class)
          .asString()
          .contains("nodeId=1", "their connection ends");
      await("the requester is told", answer::isDone);
      assertThatThrownBy(answer::join).hasCauseInstanceOf(RemoteHandlerException.class);
    }
  }

  /** A virtual thread goes on with the request, and has the message of the handler to let go. */
  @ParameterizedTest
  @EnumSource(value = Dispatch.Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void shouldBeAskedByAFutureOfAHandlerThatWaitsForIt(Dispatch.Mode mode) throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two =
          openSecond(
              nodes, mode, node -> node.requestAsync(1, new Pong(1), Pong.class, FOREVER).get());
      one.send(2, new Ping(1));
      dismissWhileInside(one, two);
      await("it is answered", returned::isDone);
      assertThat(returned).isCompletedWithValue("sent");
    }
  }

  /** It is not waited for in vain any more, which the thread that waits does not know. */
  @ParameterizedTest
  @EnumSource(value = Dispatch.Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void shouldBeAskedByAFutureOfAHandlerThatAnswersMeanwhile(Dispatch.Mode mode) throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two = open(nodes, 2);
      two.handle(
          Ping.class,
          new Dispatch(mode, false),
          (ping, exchange) -> {
            inside.countDown();
            release.await();
            CompletableFuture<Pong> pong =
                two.requestAsync(1, new Pong(1), Pong.class, Duration.ofSeconds(20));
            AtomicInteger looks = new AtomicInteger();
            await("a thread has begun with it", () -> looks.incrementAndGet() > 20);
            exchange.reply(new Pong(2));
            returned.complete(pong.get());
          });
      CompletableFuture<Pong> answer = one.requestAsync(2, new Ping(1), Pong.class, FOREVER);
      dismissWhileInside(two, one);
      await("it is answered", returned::isDone);
      assertThat(returned).isCompletedWithValue(new Pong(1));
      await("the requester is answered", answer::isDone);
    }
  }

  /** The others of several receivers are waited for by other threads, which hold no message. */
  @ParameterizedTest
  @EnumSource(value = Dispatch.Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void shouldHearFromAHandlerThatSendsToSeveral(Dispatch.Mode mode) throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1);
      one.handle(Pong.class, (pong, exchange) -> {});
      Node zero = nodes.open(0);
      zero.handle(Pong.class, (pong, exchange) -> {});
      Node two = openSecond(nodes, mode, node -> arrived.complete(sendToSeveral(node)));
      one.send(2, new Ping(1));
      dismissWhileInside(one, two);
      await("it is sent", returned::isDone);
      assertThat(arrived).isCompletedWithValue(SendStatus.ACCEPTED);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Dispatch.Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void shouldNotBeWaitedForByAHandlerThatSendsToSeveral(Dispatch.Mode mode) throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1);
      Node zero = nodes.open(0);
      zero.handle(Pong.class, (pong, exchange) -> {});
      Node two = openSecond(nodes, mode, node -> arrived.complete(sendToSeveral(node)));
      CompletableFuture<Pong> answer = one.requestAsync(2, new Ping(1), Pong.class, FOREVER);
      dismissWhileInside(two, one);
      await("it is sent", returned::isDone);
      assertThat(arrived).isCompletedWithValue(SendStatus.UNREACHABLE);
      await("the requester is told", answer::isDone);
      assertThatThrownBy(answer::join).hasCauseInstanceOf(RemoteHandlerException.class);
    }
  }

  private static SendStatus sendToSeveral(Node node) {
    return node.send(Set.of(0, 1), new Pong(1)).statuses().get(1);
  }

  /** Another thread waits for the room by then, and for the end of the connection after that. */
  @ParameterizedTest
  @CsvSource({"POOLED, false", "POOLED, true", "BLOCKING, false", "BLOCKING, true"})
  void shouldNotBeWaitedForInVainByAHandlerThatHasWaitedForRoom(Dispatch.Mode mode, boolean asked)
      throws Exception {
    CountDownLatch room = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp");
        Closeable _ = room::countDown) {
      Node one = open(nodes, 1);
      one.handle(Pong.class, (pong, exchange) -> {});
      one.handle(Block.class, (block, exchange) -> room.await());
      Node zero = nodes.open(0);
      zero.handle(Pong.class, (pong, exchange) -> {});
      Node two =
          openSecond(
              nodes,
              mode,
              node -> {
                fill(node);
                arrived.complete(sendToSeveral(node));
              });
      CompletableFuture<Pong> answer = CompletableFuture.completedFuture(new Pong(0));
      if (asked) {
        answer = one.requestAsync(2, new Ping(1), Pong.class, FOREVER);
      } else {
        one.send(2, new Ping(1));
      }
      release.countDown();
      await("it waits for room", () -> waitingSenders(two) == 1);
      connection(two, 1).drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime());
      await("both know", () -> isDraining(one, 2) && isDraining(two, 1));
      room.countDown();
      await("it is sent", returned::isDone);
      assertThat(arrived)
          .isCompletedWithValue(asked ? SendStatus.UNREACHABLE : SendStatus.ACCEPTED);
      await("the requester is told", answer::isDone);
    }
  }

  /** Sends node 1 as much as its window takes. */
  private static void fill(Node node) {
    Block block = new Block("a".repeat(1000));
    await("no room", () -> node.trySend(1, block) == SendStatus.BACK_PRESSURED);
    Block last = new Block("");
    await(
        "none at all",
        () -> isWindowAllThatLacks(node) && node.trySend(1, last) == SendStatus.BACK_PRESSURED);
  }

  /** The peer has granted its window, and all was written: what lacks otherwise may come. */
  private static boolean isWindowAllThatLacks(Node node) {
    return node.metrics().connections().stream()
        .anyMatch(peer -> peer.nodeId() == 1 && peer.window() > 0 && peer.pendingBytes() == 0);
  }

  private static int waitingSenders(Node node) {
    return node.metrics().connections().stream().mapToInt(peer -> peer.waitingSenders()).sum();
  }

  /** Each of two handlers waits for the end of the connection that the other's message came by. */
  @ParameterizedTest
  @EnumSource(value = Dispatch.Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void shouldHearFromHandlersOfEachOther(Dispatch.Mode mode) throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      CountDownLatch both = new CountDownLatch(2);
      AtomicInteger sent = new AtomicInteger();
      Node one = openFirst(nodes);
      Node three = open(nodes, 3);
      three.handle(Pong.class, (pong, exchange) -> {});
      Node two =
          nodes.open(
              2,
              settings -> settings.sendTimeout(FOREVER).requestTimeout(FOREVER).handlerThreads(2));
      two.handle(
          Ping.class,
          new Dispatch(mode, false),
          (ping, exchange) -> {
            both.countDown();
            release.await();
            two.send(4 - exchange.source(), new Pong(1));
            sent.incrementAndGet();
          });
      one.send(2, new Ping(1));
      three.send(2, new Ping(1));
      both.await();
      for (Node peer : List.of(one, three)) {
        connection(two, peer.id())
            .drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime());
        await("both know", () -> isDraining(two, peer.id()) && isDraining(peer, 2));
      }
      release.countDown();
      await("both are sent", () -> sent.get() == 2);
      await("it has arrived", arrived::isDone);
    }
  }

  /** A handler that waits for it to open has not looked what it holds. */
  @Test
  void shouldEndTheWaitOfThoseWhoDoNotKnowThatItEnds() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two = openSecond(nodes, Dispatch.Mode.POOLED, node -> {});
      one.send(2, new Ping(1));
      inside.await();
      Connection connection = connection(two, 1);
      connection.drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime());
      assertThat(connection.awaitOpen(System.nanoTime() + FOREVER.toNanos(), false, 0)).isFalse();
      assertThat(connection.isEnded()).isFalse();
      release.countDown();
      await("the handler", returned::isDone);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Dispatch.Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void shouldHearFromAHandlerThatWaitsUntilItMaySend(Dispatch.Mode mode) throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two =
          openSecond(
              nodes,
              mode,
              node -> {
                while (node.trySend(1, new Pong(1)) != SendStatus.ACCEPTED) {
                  Void _ = node.whenWritable(1).get();
                }
              });
      one.send(2, new Ping(1));
      dismissWhileInside(one, two);
      await("it is sent", returned::isDone);
      assertThat(returned).isCompletedWithValue("sent");
      await("it has arrived", arrived::isDone);
    }
  }

  /** Its lane has another consumer by then, and what it was lent and has kept is its own. */
  @ParameterizedTest
  @EnumSource(value = Dispatch.Mode.class, names = "INLINE", mode = EnumSource.Mode.EXCLUDE)
  void shouldHearFromAHandlerThatHasWaitedBeforeAndRetainedItsMessage(Dispatch.Mode mode)
      throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two = open(nodes, 2);
      CountDownLatch handedOn = new CountDownLatch(1);
      Node three = open(nodes, 3);
      three.handle(
          Pong.class,
          (pong, exchange) -> {
            handedOn.await();
            exchange.reply(pong);
          });
      two.handle(
          Ping.class,
          new Dispatch(mode, false),
          (ping, exchange) -> {
            Pong _ = two.request(3, new Pong(1), Pong.class, FOREVER);
            try (RetainedExchange kept = exchange.retain()) {
              inside.countDown();
              release.await();
              two.send(kept.source(), new Pong(1));
              returned.complete("sent");
            }
          });
      one.send(2, new Ping(1));
      await(
          "others go on with its lane",
          () -> mode == Dispatch.Mode.BLOCKING || two.metrics().handlers().waiting() > 0);
      handedOn.countDown();
      dismissWhileInside(one, two);
      await("it is sent", returned::isDone);
      await("it has arrived", arrived::isDone);
      await("it counts", () -> two.metrics().messagesHandled() > 0);
      one.send(2, new Pong(1)); // of which nobody knows there
      await("the next one", () -> two.metrics().messagesHandled() > 1);
      assertThat(two.metrics().messagesHandled()).isEqualTo(2);
    }
  }

  /** Else a peer that dismisses again and again makes this node hold as much as it likes. */
  @ParameterizedTest
  @CsvSource({"POOLED, 1", "POOLED, 3000000", "BLOCKING, 1", "BLOCKING, 3000000"})
  void shouldCountWhatAHandlerHoldsUntilItReturns(Dispatch.Mode mode, int length) throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two = open(nodes, 2);
      two.handle(
          Block.class,
          new Dispatch(mode, false),
          (block, exchange) -> {
            inside.countDown();
            release.await();
            two.send(1, new Pong(1));
            held.await();
          });
      one.send(2, new Block("a".repeat(length)));
      dismissWhileInside(one, two);
      await("it has arrived", arrived::isDone);
      assertThat(two.metrics().messagesHandled()).isEqualTo(1);
      assertThat(grantedBytes(two)).isGreaterThanOrEqualTo(FIRST_WINDOW + length);
      held.countDown();
      await("what it has held is free", () -> grantedBytes(two) == FIRST_WINDOW);
      assertThat(two.metrics().messagesHandled()).isEqualTo(1);
    } finally {
      held.countDown();
    }
  }

  private static long grantedBytes(Node node) {
    return node.metrics().memory().windowBytes() + node.metrics().memory().grantedBytes();
  }

  /** They are told together with what the batch has handled last, and that waits. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldHearOfWhatWasHandledBeforeWhereNobodyTakesThePlaceOfTheHandler(boolean byDependent)
      throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = openFirst(nodes);
      Node two =
          nodes.open(
              2,
              settings ->
                  settings
                      .sendTimeout(FOREVER)
                      .requestTimeout(FOREVER)
                      .handlerThreads(1)
                      .compensatingThreads(0));
      two.handle(
          Ping.class,
          (ping, exchange) -> {
            if (ping.number() == 1) {
              await("there is another one", () -> two.metrics().messagesReceived() == 2);
              return;
            }
            inside.countDown();
            release.await();
            if (byDependent) { // of which the library does not know that it is waited for
              CountDownLatch told = new CountDownLatch(1);
              CompletableFuture<Void> _ = two.whenWritable(1).thenRun(told::countDown);
              told.await();
            }
            two.send(1, new Pong(1));
            returned.complete("sent");
          });
      one.send(2, new Ping(1));
      one.send(2, new Ping(2));
      dismissWhileInside(one, two);
      await("it is sent", returned::isDone);
      await("both count, and not more", () -> two.metrics().messagesHandled() == 2);
    }
  }
}
