package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.CloseReport;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.testing.NodeWatcher;

/** A node that is closed on a thread of its own does not wait for that thread, nor interrupt it. */
@ExtendWith(NodeWatcher.class)
class ClosedWithinTest {

  private static final String THREADS = "ringwire-1-";

  private final TestNodes nodes = new TestNodes("tcp");
  private final AtomicReference<Node> node = new AtomicReference<>();

  record Ask(long number) {}

  record Told(CloseReport report, boolean interrupted) {}

  @AfterEach
  void end() {
    nodes.close();
  }

  /** On the thread that calls this, which may wait for longer than the test does. */
  private Told close() {
    CloseReport report = node.get().close(Duration.ofHours(1));
    return new Told(report, Thread.currentThread().isInterrupted());
  }

  private static void check(CompletableFuture<Told> closing) throws Exception {
    Told told = closing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(told.report().isClean()).as("%s", told).isTrue();
    assertThat(told.interrupted()).isFalse();
    await("nothing is left", ClosedWithinTest::isNothingLeft);
  }

  private static boolean isNothingLeft() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().startsWith(THREADS));
  }

  private void answering() {
    nodes
        .open(2)
        .handle(
            Ask.class,
            (ask, exchange) -> {
              if (exchange.isRequest()) {
                exchange.reply(ask);
              }
            });
  }

  @Test
  void shouldNotWaitForTheListenerThatClosesIt() throws Exception {
    CompletableFuture<Told> closing = new CompletableFuture<>();
    CompletableFuture<LossReport> after = new CompletableFuture<>();
    CountDownLatch sent = new CountDownLatch(1);
    NodeListener listener =
        new NodeListener() {
          @Override
          public void connected(int nodeId) {
            try {
              boolean _ = sent.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
              closing.complete(close());
            } catch (InterruptedException e) {
              closing.completeExceptionally(e);
            }
          }

          @Override
          public void lost(LossReport report) {
            after.complete(report);
          }
        };
    node.set(nodes.open(1, settings -> settings.listener(listener)));
    answering();
    node.get().send(2, new Ask(1));
    sent.countDown();

    check(closing);
    LossReport report = after.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(report.processed()).isEqualTo(1);
  }

  /** The one that closes the node waits for the listener, so that must not wait for it. */
  @Test
  void shouldNotWaitForTheListenerThatClosesItToo() throws Exception {
    CompletableFuture<Told> closing = new CompletableFuture<>();
    NodeListener listener =
        new NodeListener() {
          @Override
          public void lost(LossReport report) {
            closing.complete(close());
          }
        };
    node.set(nodes.open(1, settings -> settings.listener(listener)));
    answering();
    node.get().request(2, new Ask(1), Ask.class, PATIENCE);

    check(CompletableFuture.supplyAsync(this::close));
    assertThat(closing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).report())
        .isEqualTo(CloseReport.UNKNOWN);
  }

  @Test
  void shouldNotWaitForTheHandlerThreadOfAFutureThatClosesIt() throws Exception {
    node.set(nodes.open(1));
    answering();
    check(node.get().requestAsync(2, new Ask(1), Ask.class).thenApply(answer -> close()));
  }

  /** As what belongs to the node, and ends with it, may close it as well. */
  @Test
  void shouldNotWaitForTheThreadThatClosesItAndTellsOfThat() throws Exception {
    node.set(nodes.open(1));
    answering();
    node.get().request(2, new Ask(1), Ask.class, PATIENCE);
    CompletableFuture<Told> nested = new CompletableFuture<>();
    CompletableFuture<Void> told = node.get().whenClosed().thenRun(() -> nested.complete(close()));

    check(CompletableFuture.supplyAsync(this::close));
    assertThat(told).isDone();
    assertThat(nested.join().report()).isEqualTo(CloseReport.UNKNOWN);
    assertThat(node.get().close(Duration.ZERO).isClean()).isTrue();
  }

  /** The thread that closes has been replaced in the pool, as it has waited before. */
  @Test
  void shouldNotWaitForAReplacedThreadThatClosesIt() throws Exception {
    node.set(nodes.open(1));
    answering();
    check(
        node.get()
            .requestAsync(2, new Ask(1), Ask.class)
            .thenApply(answer -> {
              node.get().request(2, new Ask(2), Ask.class, PATIENCE);
              return close();
            }));
  }
}
