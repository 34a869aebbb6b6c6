package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.Node;
import org.ringwire.SendStatus;
import org.ringwire.engine.connection.Connection;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;

/**
 * A handler waits for the end of one connection, and then the one is dismissed that its message
 * came by: that one does not wait for the handler.
 */
@ExtendWith(NodeWatcher.class)
class DismissedLaterTest {

  /** Nobody waits for so long, nor has a drain patience for it. */
  private static final Duration FOREVER = Duration.ofHours(1);

  record Ping(long number) {}

  record Pong(long number) {}

  record Block(long number) {}

  private final CountDownLatch release = new CountDownLatch(1);
  private final CompletableFuture<Thread> inside = new CompletableFuture<>();
  private final CompletableFuture<Object> returned = new CompletableFuture<>();

  /** How the handler sends. */
  enum Way {
    SEND,
    REQUEST,
    FUTURE,
    WRITABLE,
    SEVERAL;

    void go(Node node) throws Exception {
      switch (this) {
        case SEND -> node.send(3, new Pong(1));
        case REQUEST -> {
          Pong _ = node.request(3, new Pong(1), Pong.class, FOREVER);
        }
        case FUTURE -> {
          Pong _ = node.requestAsync(3, new Pong(1), Pong.class, FOREVER).get();
        }
        case WRITABLE -> {
          while (node.trySend(3, new Pong(1)) != SendStatus.ACCEPTED) {
            Void _ = node.whenWritable(3).get();
          }
        }
        case SEVERAL ->
            assertThat(node.send(Set.of(3, 4), new Pong(1)).allAccepted()).as("sent").isTrue();
      }
    }
  }

  @AfterEach
  void end() {
    release.countDown();
  }

  private static Node open(TestNodes nodes, int id) {
    return nodes.open(id, settings -> settings.sendTimeout(FOREVER).requestTimeout(FOREVER));
  }

  private static Connection connection(Node node, int peer) {
    return Objects.requireNonNull(((MessagingNode) node).connections().get(peer));
  }

  private static Connection dismiss(Node node, int peer) {
    Connection dismissed = connection(node, peer);
    dismissed.drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime());
    return dismissed;
  }

  private boolean isWaiting() {
    if (!inside.isDone()) {
      return false;
    }
    Thread.State state = inside.join().getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  private static void answers(Node node) {
    node.handle(
        Pong.class,
        (pong, exchange) -> {
          if (exchange.isRequest()) {
            exchange.reply(pong);
          }
        });
  }

  @ParameterizedTest
  @CsvSource({
    "POOLED, SEND",
    "POOLED, REQUEST",
    "POOLED, FUTURE",
    "POOLED, WRITABLE",
    "POOLED, SEVERAL",
    "BLOCKING, SEND",
    "BLOCKING, REQUEST",
    "BLOCKING, FUTURE",
    "BLOCKING, WRITABLE",
    "BLOCKING, SEVERAL"
  })
  void shouldNotWaitForAHandlerThatWaitsForAnotherEnd(Dispatch.Mode mode, Way way) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1);
      Node two = open(nodes, 2);
      Node three = open(nodes, 3);
      CountDownLatch blocks = new CountDownLatch(1);
      three.handle(
          Block.class,
          (block, exchange) -> {
            blocks.countDown();
            release.await();
          });
      answers(three);
      answers(open(nodes, 4));
      two.handle(
          Ping.class,
          new Dispatch(mode, false),
          (ping, exchange) -> {
            inside.complete(Thread.currentThread());
            try {
              way.go(two);
              returned.complete("sent");
            } catch (Exception e) {
              returned.complete(e);
            }
          });
      two.send(3, new Block(1));
      await("it is handled", () -> blocks.getCount() == 0);
      Connection other = dismiss(two, 3);
      one.send(2, new Ping(1));
      await("the handler waits", this::isWaiting);
      Connection own = dismiss(one, 2);
      await("it ends", own::isEnded);
      assertThat(other.isEnded()).as("which the handler waits for").isFalse();
      release.countDown();
      await("it is sent", returned::isDone);
      assertThat(returned).isCompletedWithValue("sent");
    }
  }
}
