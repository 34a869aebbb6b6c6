package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EndReason;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Refusal;
import org.ringwire.wire.RefusalReason;

/**
 * A HELLO of another life of a peer is decided about after the old one was probed. Its own link may
 * have ended by then, and another one have come.
 */
@ExtendWith(NodeWatcher.class)
class LateDecisionTest {

  private static final long LIFE = 77;

  private static final long PROBE_NS = 500_000_000;

  /** A little longer than a probe. */
  private static final long DECIDED_MS = 600;

  @Test
  void shouldNotReplaceALinkThatCameWhenItsOwnHadEnded() throws Exception {
    while (!keepsALinkThatCame()) { // a pause: the old life was there when the probe was over
      Thread.onSpinWait();
    }
  }

  /** False if the old life had not ended before the probe was over, and nothing was seen. */
  private static boolean keepsALinkThatCame() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      MessagingNode node =
          (MessagingNode) nodes.open(1, settings -> settings.keepAlive(Duration.ofHours(1)));
      Connections connections = node.connections();
      CountDownLatch decided;
      long beganNs;
      try (RawPeer old = RawPeer.join(node, 2)) {
        beganNs = System.nanoTime();
        try (RawPeer _ = hello(node)) {
          RawPeer.Frame _ = old.await(FrameLayout.PING);
          decided = decisionOf(connections);
        }
        await("the end of the link", () -> connections.handshakesNow() == 0);
      }
      await("the end of the old life", () -> connections.listed(2) == null);
      if (System.nanoTime() - beganNs >= PROBE_NS) {
        return false;
      }
      try (RawPeer next = hello(node)) {
        RawPeer.Frame _ = next.await(FrameLayout.WELCOME);
        decided.await();

        next.send(RawPeer.frame(FrameLayout.PING, 0, RawPeer.words(1)));
        RawPeer.Frame _ = next.await(FrameLayout.PONG);
        assertThat(node.metrics().connectionEnds()).doesNotContainKey(EndReason.REPLACED.name());
        assertThat(node.metrics().handshakesRefused()).isZero();
        return true;
      }
    }
  }

  @Test
  void shouldRefuseAtTheEndOfAProbeIfTheNodeBeganToCloseMeanwhile() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      MessagingNode node =
          (MessagingNode) nodes.open(1, settings -> settings.keepAlive(Duration.ofHours(1)));
      try (RawPeer old = RawPeer.join(node, 2);
          RawPeer next = hello(node)) {
        RawPeer.Frame _ = old.await(FrameLayout.PING);
        node.connections().beginClose();
        RawPeer.Frame frame = next.await(FrameLayout.REFUSE);
        long header = FrameLayout.readHeader(frame.memory(), 0);
        assertThat(Refusal.parse(frame.memory(), 0, header).reason())
            .isEqualTo(RefusalReason.SHUTTING_DOWN);
      }
    }
  }

  private static RawPeer hello(MessagingNode node) throws IOException {
    return RawPeer.connect(node).send(RawPeer.hello(2, LIFE, "default").encode());
  }

  /** The attempt to connect goes on by our link, and the old life has none any more. */
  @Test
  void shouldNotEndAnAttemptForWhichTheProbeWasNot() {
    whileConnecting((connections, connection, old) -> {
      old.welcomed();
      PeerSession late = NowhereProvider.accepted(connections);
      connections.admissions().probe(connection, late, RawPeer.hello(2, LIFE, "default"));
      assertThatTheNextStays(connections, connection, old, late);
    });
  }

  @Test
  void shouldNotReplaceTheLinkOfAnAttemptThatCameWhenItsOwnHadEnded() {
    whileConnecting((connections, connection, old) -> {
      PeerSession late =
          NowhereProvider.accepted(connections); // the old one is not welcomed yet: later again
      connections.admissions().probe(connection, late, RawPeer.hello(2, LIFE, "default"));
      assertThatTheNextStays(connections, connection, old, late);
    });
  }

  private static void assertThatTheNextStays(
      Connections connections, Connection connection, PeerSession old, PeerSession late)
      throws InterruptedException {
    CountDownLatch decided = decisionOf(connections);
    late.closed(null);
    old.closed(null);
    PeerSession next = NowhereProvider.accepted(connections);
    connections.admissions().hello(next, RawPeer.hello(2, LIFE, "default"));
    assertThat(connection.inbound()).isSameAs(next);
    decided.await();

    assertThat(connection.isEnded()).isFalse();
    assertThat(connection.inbound()).isSameAs(next);
    assertThat(next.ending().isBegun()).isFalse();
    next.closed(null);
  }

  private interface Meanwhile {
    void run(Connections connections, Connection connection, PeerSession old)
        throws InterruptedException;
  }

  /** Our link is under way; one of the peer's is there. */
  private static void whileConnecting(Meanwhile meanwhile) {
    MessagingNode node = NowhereProvider.openNode();
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession old = NowhereProvider.accepted(connections);
      assertThat(connection.attach(old) && old.belongTo(connection)).isTrue();
      old.ready();
      meanwhile.run(connections, connection, old);
      Objects.requireNonNull(connection.outbound()).closed(null);
      await("the end", connections::allSettled);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  /** What is decided about a HELLO that has come is decided before this. */
  private static CountDownLatch decisionOf(Connections connections) {
    CountDownLatch decided = new CountDownLatch(1);
    connections.services().later(decided::countDown, TimeUnit.MILLISECONDS.toNanos(DECIDED_MS));
    return decided;
  }
}
