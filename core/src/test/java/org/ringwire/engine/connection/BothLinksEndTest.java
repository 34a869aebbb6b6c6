package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.engine.services.Bounded;
import org.ringwire.testing.NodeWatcher;

/** Both links of a connection end at the same time while it is connecting. */
@ExtendWith(NodeWatcher.class)
class BothLinksEndTest {

  private static final int ROUNDS = 1_000;
  private static final long PATIENCE_NS = 10_000_000_000L;

  @Test
  void shouldSettleTheConnection() throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    NodeConfig config = NodeConfig.builder(1).transport("nowhere").peers(directory).build();
    MessagingNode node = (MessagingNode) MessagingNode.open(config, 1, new NowhereProvider());
    try {
      for (int round = 0; round < ROUNDS; round++) {
        directory.put(2 + round, "somewhere");
        endBoth(node.connections(), 2 + round);
        assertThat(Bounded.await(node.connections()::allSettled, System.nanoTime() + PATIENCE_NS))
            .as("settled in round " + round)
            .isTrue();
      }
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  /** Our link is under way, and ends after what is done meanwhile. */
  private static void whileConnecting(BiConsumer<Connections, Connection> meanwhile) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    directory.put(2, "somewhere");
    NodeConfig config = NodeConfig.builder(1).transport("nowhere").peers(directory).build();
    MessagingNode node = (MessagingNode) MessagingNode.open(config, 1, new NowhereProvider());
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession out = Objects.requireNonNull(connection.outbound());
      meanwhile.accept(connections, connection);
      out.closed(null);
      assertThat(Bounded.await(connections::allSettled, System.nanoTime() + PATIENCE_NS)).isTrue();
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  /** Between two looks at the connection, the link of the earlier life of a peer has ended. */
  @Test
  void shouldAdmitANewLifeWhenThereIsNoLinkToProbeAnyMore() {
    whileConnecting((connections, connection) -> {
      PeerSession in = (PeerSession) Objects.requireNonNull(connections.accept("peer-2:1"));
      connections.admissions().probe(connection, in, RawPeer.hello(2, 77, "default"));
      assertThat(connection.inbound()).isSameAs(in);
      in.closed(null);
    });
  }

  /** The attempt goes on by our link, and the life that was let go of is not the one it is for. */
  @Test
  void shouldTakeTheNextLifeOfAPeerWhoseLinkHasEnded() {
    whileConnecting((connections, connection) -> {
      for (long life = 77; life < 80; life++) {
        PeerSession in = (PeerSession) Objects.requireNonNull(connections.accept("peer-2:1"));
        connections.admissions().hello(in, RawPeer.hello(2, life, "default"));
        assertThat(connection.inbound()).as("life " + life).isSameAs(in);
        in.closed(null);
        assertThat(connection.inbound()).isNull();
        assertThat(connection.isEnded()).isFalse();
      }
    });
  }

  private static void endBoth(Connections connections, int id) throws Exception {
    Connection connection = ((ConnectResult.Begun) connections.connect(id)).connection();
    PeerSession out = Objects.requireNonNull(connection.outbound());
    PeerSession in = (PeerSession) Objects.requireNonNull(connections.accept("peer-" + id + ":1"));
    assertThat(connection.attach(in) && in.belongTo(connection)).isTrue();
    CyclicBarrier barrier = new CyclicBarrier(2);
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              await(barrier);
              in.closed(null);
            });
    await(barrier);
    out.closed(null);
    other.join();
    assertThat(connection.isEnded()).isTrue();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(PATIENCE_NS, TimeUnit.NANOSECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
