package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EndReason;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;

/**
 * A HELLO comes of a peer that shares our link: that of a link which the peer has let go of by
 * then, or of one in place of that which it shared.
 */
@ExtendWith(NodeWatcher.class)
class LateLinkBackTest {

  private static final Hello HELLO = RawPeer.hello(2, 77, "default");

  /** After which it is looked at again. */
  private static final long LOOK_NS = 500_000_000;

  /** A little longer than that. */
  private static final Duration LOOKED = Duration.ofMillis(600);

  private interface Meanwhile {
    void run(MessagingNode node, Connection connection, PeerSession shared)
        throws InterruptedException;
  }

  /** Our link is shared, and open. */
  private static void whileShared(Duration connectTimeout, Meanwhile meanwhile) {
    boolean shared = false;
    while (!shared) { // again after a pause, in which its own link is given up
      shared = tryWhileShared(connectTimeout, meanwhile);
    }
  }

  private static boolean tryWhileShared(Duration connectTimeout, Meanwhile meanwhile) {
    long beganNs = System.nanoTime();
    MessagingNode node = NowhereProvider.openNode(connectTimeout);
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession shared = Objects.requireNonNull(connection.outbound());
      boolean learnt = connection.handshake().learn(HELLO.incarnation());
      connection.handshake().peerFeatures(Handshake.DRAINS);
      shared.ready();
      shared.welcomed();
      connection.handshake().outboundReady(shared, true);
      if (System.nanoTime() - beganNs > connectTimeout.toNanos() / 2) {
        return false;
      }
      assertThat(learnt).isTrue();
      assertThat(connection.inbound()).isSameAs(shared);
      assertThat(connection.state()).isEqualTo(ConnectionState.OPEN);
      meanwhile.run(node, connection, shared);
      shared.closed(null);
      await("the end", connections::allSettled);
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  @Test
  void shouldEndNothingIfTheEndOfThatLinkFollows() {
    boolean[] seen = {false}; // not after a pause: that link was there when it was looked at again
    while (!seen[0]) {
      whileShared(
          TestNodes.PATIENCE,
          (node, connection, shared) -> {
            PeerSession late = opened(node);
            long beganNs = System.nanoTime();
            node.connections().admissions().hello(late, HELLO);
            late.closed(null);
            seen[0] = System.nanoTime() - beganNs < LOOK_NS;
            later(node, LOOKED).await();
            assertThat(connection.isEnded() && seen[0]).isFalse();
          });
    }
  }

  @Test
  void shouldReplaceASharedLinkThatEndsAlreadyAtOnce() {
    whileShared(
        TestNodes.PATIENCE,
        (node, connection, shared) -> {
          shared.end("seen by this node first");
          assertThatItIsReplaced(node, connection, EndReason.REPLACED);
        });
  }

  @Test
  void shouldReplaceASharedLinkThatThePeerMayHaveClosedAtOnce() {
    whileShared(
        TestNodes.PATIENCE,
        (node, connection, shared) -> {
          connection.orderlyEnd().peerCloses(CloseReason.DISMISSED);
          await(
              "this side needs it no more",
              () -> {
                boolean _ = connection.orderlyEnd().advance();
                return connection.orderlyEnd().isFinished();
              });
          assertThatItIsReplaced(node, connection, EndReason.DISMISSED);
        });
  }

  private static void assertThatItIsReplaced(
      MessagingNode node, Connection connection, EndReason reason) {
    PeerSession next = opened(node);
    node.connections().admissions().hello(next, HELLO);
    assertThat(connection.isEnded()).isTrue();
    assertThat(next.isReady()).isTrue();
    assertThat(node.metrics().connectionEnds()).containsOnlyKeys(reason.name());
    next.closed(null);
  }

  /** It gives up its own link as soon as this node would. */
  @Test
  void shouldReplaceASharedLinkBeforeThePeerGivesUpTheNextOne() {
    Duration shorter = Duration.ofNanos(LOOK_NS).dividedBy(2);
    whileShared(
        shorter,
        (node, connection, shared) -> {
          for (int i = 0; i < 10 && !connection.isEnded(); i++) { // again after a pause
            PeerSession next = opened(node);
            CountDownLatch givenUp = later(node, shorter);
            node.connections().admissions().hello(next, HELLO);
            givenUp.await();
            next.closed(null);
          }
          assertThat(connection.isEnded()).isTrue();
        });
  }

  private static PeerSession opened(MessagingNode node) {
    PeerSession session = NowhereProvider.accepted(node.connections());
    session.opened(new TakingLink());
    return session;
  }

  private static CountDownLatch later(MessagingNode node, Duration delay) {
    CountDownLatch latch = new CountDownLatch(1);
    node.connections().services().later(latch::countDown, delay.toNanos());
    return latch;
  }
}
