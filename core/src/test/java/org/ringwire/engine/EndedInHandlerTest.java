package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.Closeable;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.engine.connection.Connection;
import org.ringwire.testing.NodeWatcher;

/** A connection ends while the thread that reads it, and others, is in a long handler of it. */
@ExtendWith(NodeWatcher.class)
class EndedInHandlerTest {

  private static final Duration KEEP_ALIVE = Duration.ofMillis(900);
  private static final int SILENT = 99;

  record Event(long number) {}

  record Ask(long number) {}

  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();

  private Node open(TestNodes nodes, int id, Duration keepAlive) {
    return nodes.open(id, settings -> settings.keepAlive(keepAlive).listener(new Losses(losses)));
  }

  @Test
  void shouldKeepOthersThatAreReadByTheSameThread() throws Exception {
    Losses.holdOnce(losses, this::keepOthersThatAreReadByTheSameThread);
  }

  private void keepOthersThatAreReadByTheSameThread() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp");
        Closeable _ = release::countDown) { // before the nodes close, which wait for the handler
      MessagingNode one = (MessagingNode) open(nodes, 1, KEEP_ALIVE);
      one.handle(
          Event.class,
          Dispatch.INLINE,
          (event, exchange) -> {
            entered.countDown();
            assertThat(release.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
          });
      one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      Node three = open(nodes, 3, PATIENCE);
      assertThat(three.request(1, new Ask(1), Ask.class, PATIENCE).number()).isEqualTo(1);
      nodes.open(2, settings -> settings.keepAlive(PATIENCE)).send(1, new Event(1));
      assertThat(entered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      Connection ending = one.connections().get(2);
      assertThat(ending).isNotNull();
      ending.end(EndReason.REPLACED, "as if a new life of the node had come");
      awaitSilentPeersLost();
      assertThat(losses).noneMatch(report -> report.nodeId() < SILENT);
      release.countDown();
      assertThat(three.request(1, new Ask(2), Ask.class, PATIENCE).number()).isEqualTo(2);
      assertThat(three.metrics().connectionEnds()).isEmpty();
    }
  }

  /** A clock: by the end another node has waited for its keep-alive time three times. */
  private void awaitSilentPeersLost() throws Exception {
    try (TestNodes clock = new TestNodes("tcp")) {
      Node node = open(clock, 1, KEEP_ALIVE);
      for (int id = SILENT; id < SILENT + 3; id++) {
        int lost = id;
        try (RawPeer _ = RawPeer.join(node, lost)) {
          await(
              "a silent peer is lost",
              () -> losses.stream().anyMatch(report -> report.nodeId() == lost));
        }
      }
    }
  }
}
