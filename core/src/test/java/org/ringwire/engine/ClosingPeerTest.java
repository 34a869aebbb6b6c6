package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.MulticastResult;
import org.ringwire.Node;
import org.ringwire.NodeUnreachableException;
import org.ringwire.SendStatus;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.ConnectionState;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;

/** A handler that sends to a node which closes does not wait for it: that one waits for it. */
@ExtendWith(NodeWatcher.class)
class ClosingPeerTest {

  /** Nobody waits for so long. */
  private static final Duration FOREVER = Duration.ofHours(1);

  record Ping(long number) {}

  record Pong(long number) {}

  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger inside = new AtomicInteger();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Queue<SendStatus> statuses = new ConcurrentLinkedQueue<>();

  /** Some way to send, after which it may be done. */
  private interface Call {
    void run() throws Exception;
  }

  @AfterEach
  void end() {
    release.countDown();
  }

  private static Node open(TestNodes nodes, int id) {
    return nodes.open(id, settings -> settings.sendTimeout(FOREVER).requestTimeout(FOREVER));
  }

  private void attempt(Call call) {
    try {
      call.run();
    } catch (ExecutionException e) {
      failures.add(e.getCause());
    } catch (Exception e) {
      failures.add(e);
    }
  }

  private void sendBack(Node node) {
    attempt(() -> node.send(1, new Pong(1)));
    attempt(() -> node.request(1, new Pong(1), Pong.class, FOREVER));
    attempt(() -> node.requestAsync(1, new Pong(1), Pong.class, FOREVER).get());
    MulticastResult result = node.send(Set.of(1, 3), new Pong(1));
    statuses.addAll(result.statuses().values());
  }

  private static boolean isDraining(Node node, int peer) {
    Connection connection = ((MessagingNode) node).connections().get(peer);
    return connection != null && connection.state() == ConnectionState.DRAINING;
  }

  private static CompletableFuture<CloseReport> closing(Node node) {
    return CompletableFuture.supplyAsync(() -> node.close(PATIENCE), Thread::startVirtualThread);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotBeWaitedForByAHandlerThatItWaitsFor(boolean pooled) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node two = open(nodes, 2);
      two.handle(
          Ping.class,
          pooled ? Dispatch.POOLED : Dispatch.BLOCKING,
          (ping, exchange) -> {
            inside.incrementAndGet();
            release.await();
            sendBack(two);
          });
      List<CompletableFuture<CloseReport>> reports = new ArrayList<>();
      for (Node peer : List.of(open(nodes, 1), open(nodes, 3))) {
        peer.send(2, new Ping(1));
        reports.add(closing(peer));
      }
      await(
          "both in handlers, and closing",
          () -> inside.get() == 2 && isDraining(two, 1) && isDraining(two, 3));
      release.countDown();
      for (CompletableFuture<CloseReport> report : reports) {
        assertThat(report.join()).matches(CloseReport::isClean);
      }
      assertThat(statuses).hasSize(4).containsOnly(SendStatus.UNREACHABLE);
      assertThat(failures)
          .hasSize(6)
          .allSatisfy(failure ->
              assertThat(failure)
                  .isInstanceOf(NodeUnreachableException.class)
                  .hasMessageContaining("nodeId=1"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldNotBeWaitedForThoughItsConnectionWasDismissedBefore(int by) {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1);
      Node two = open(nodes, 2);
      CompletableFuture<Thread> handler = new CompletableFuture<>();
      two.handle(
          Ping.class,
          Dispatch.BLOCKING.inOrder(), // others would let go of the message
          (ping, exchange) -> {
            handler.complete(Thread.currentThread());
            release.await();
            sendBack(two);
          });
      one.send(2, new Ping(1));
      Thread waiting = handler.join();
      dismiss(by == 1 ? one : two, 3 - by);
      await("both know", () -> isDraining(one, 2) && isDraining(two, 1));
      release.countDown();
      await("the drain is waited for", () -> waiting.getState() == Thread.State.TIMED_WAITING);
      assertThat(one.close(PATIENCE)).matches(CloseReport::isClean);
      assertThat(failures).hasSize(3).hasOnlyElementsOfType(NodeUnreachableException.class);
    }
  }

  private static void dismiss(Node node, int peer) {
    Connection connection = ((MessagingNode) node).connections().get(peer);
    assertThat(connection).isNotNull();
    connection.drain(EndReason.DISMISSED, CloseReason.DISMISSED, System.nanoTime());
  }
}
