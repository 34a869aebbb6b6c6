package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.engine.AttemptWatch;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;

/** What a node knows of its messages is exact, and told (design rule 17). */
@ExtendWith(NodeWatcher.class)
class AccountTest {

  private static final Duration KEEP_ALIVE = Duration.ofSeconds(3);

  record Event(long number) {}

  private static LossReport undelivered(long lost) {
    return new LossReport(2, EndReason.LINK_LOST, "a test", lost, 0, lost, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldKnowSoonThatFewMessagesWereProcessed(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.keepAlive(KEEP_ALIVE));
      Node two = nodes.open(2, settings -> settings.keepAlive(KEEP_ALIVE));
      two.handle(Event.class, Dispatch.INLINE, (event, _) -> {});
      for (int number = 0; number < 3; number++) {
        one.send(2, new Event(number));
      }
      Connections connections = ((MessagingNode) one).connections();
      await(
          "credit, though it is far below the threshold",
          () -> {
            Connection connection = connections.get(2);
            PeerSession data = connection == null ? null : connection.dataSession();
            return data != null && data.data().current().processed() == 3;
          });
    }
  }

  /** The thread that began it had no stack or memory for a link. */
  @Test
  void shouldSettleAnAttemptThatHasNoLinkToEndItOnce() throws InterruptedException {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Connections connections = ((MessagingNode) nodes.open(1)).connections();
      Connection connection = new Connection(connections.services(), connections, 2);
      connections.begun();
      AttemptWatch attempts = new AttemptWatch(connections, Runnable::run);
      long nowNs = System.nanoTime();
      attempts.look(connection, nowNs + Duration.ofSeconds(5).toNanos());
      assertThat(connection.isEnded()).as("a slow attempt").isFalse();
      long overdueNs = nowNs + PATIENCE.multipliedBy(5).toNanos(); // four times, and a bit
      attempts.look(connection, overdueNs);
      assertThat(connection.isEnded()).isTrue();
      connections.begun(); // a second settlement would take this back
      attempts.look(connection, overdueNs);
      CountDownLatch chores = new CountDownLatch(1);
      connections.services().chore(chores::countDown);
      chores.await();
      assertThat(connections.allSettled()).isFalse();
      connections.over();
      assertThat(connections.allSettled()).isTrue();
    }
  }

  @Test
  void shouldReportEveryConnectionToTheSameNodeThatEndsWhileTheNodeCloses() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      MessagingNode one = (MessagingNode) nodes.open(1);
      Connections connections = one.connections();
      connections.list(undelivered(1));
      connections.beginClose();
      for (long lost = 2; lost <= 3; lost++) {
        connections.list(undelivered(lost));
      }
      CloseReport report = one.close(Duration.ofSeconds(5));
      assertThat(report.undelivered())
          .as("what ended before was told then")
          .extracting(LossReport::lost)
          .containsExactly(2L, 3L);
    }
  }

  @Test
  void shouldCountAConnectionOnceHoweverItsEndAndItsRemovalMeet() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      two.handle(Event.class, Dispatch.INLINE, (event, exchange) -> exchange.reply(event));
      one.request(2, new Event(1), Event.class, PATIENCE);
      Connections connections = ((MessagingNode) one).connections();
      Connection connection = Objects.requireNonNull(connections.get(2));
      assertThat(connections.traffic().messagesSent()).isEqualTo(1);
      connections
          .carried()
          .retire(connection); // its links have closed before who ends it comes to this:
      assertThat(connections.traffic().messagesSent()).isEqualTo(1);
      connections.remove(connection);
      assertThat(connections.traffic().messagesSent()).isEqualTo(1);
      connection.end(EndReason.LINK_LOST, "a test");
      await("settled", connections::allSettled);
      assertThat(connections.traffic().messagesSent()).isEqualTo(1);
    }
  }
}
