package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.Hello;

/**
 * Who makes a connection may come to open our link late: the peer's HELLO has found the connection
 * in the meantime, and both share the peer's link.
 */
@ExtendWith(NodeWatcher.class)
class LateStartTest {

  @Test
  void shouldOpenNoLinkOfOursWhereThePeersIsShared() {
    whileEntered((connections, connection) -> {
      PeerSession in = accepted(connections);
      connections.admissions().hello(in, RawPeer.hello(2, 77, "default"));
      assertThat(connection.state()).isEqualTo(ConnectionState.OPEN);

      startLate(connection);
      assertThat(connection.state()).isEqualTo(ConnectionState.OPEN);
      assertThat(connection.dataSession()).isSameAs(in);
      in.closed(null);
    });
  }

  /** Our link was silent for too long; whoever found that has not come to open the connection. */
  @Test
  void shouldOpenNoLinkOfOursOnceThePeersIsToBeShared() {
    whileEntered((connections, connection) -> {
      PeerSession in = accepted(connections);
      connections.admissions().hello(in, listening());
      PeerSession ours = Objects.requireNonNull(connection.outbound());
      assertThat(connection.letGoSilent(ours)).isTrue();

      startLate(connection);
      connection.handshake().answerWaiting(true);
      assertThat(connection.state()).isEqualTo(ConnectionState.OPEN);
      ours.closed(null);
      assertThat(connection.state()).isEqualTo(ConnectionState.OPEN);
      in.closed(null);
    });
  }

  /** The same where our link has failed. */
  @Test
  void shouldOpenNoSecondLinkOfOursWhereTheFirstHasFailed() {
    whileEntered((connections, connection) -> {
      PeerSession in = accepted(connections);
      connections.admissions().hello(in, listening());
      Objects.requireNonNull(connection.outbound()).closed(null);
      assertThat(connection.state()).isEqualTo(ConnectionState.OPEN);

      startLate(connection);
      assertThat(connection.state()).isEqualTo(ConnectionState.OPEN);
      in.closed(null);
    });
  }

  /** Ends the link that it opens, if it does, as one that failed. */
  private static void startLate(Connection connection) {
    connection.startOutbound("somewhere");
    PeerSession begun = connection.outbound();
    if (begun != null) {
      begun.closed(null);
    }
    assertThat(begun).isNull();
  }

  /** A HELLO that waits for our link. */
  private static Hello listening() {
    Hello peer = RawPeer.hello(2, 77, "default");
    return new Hello(
        peer.minVersion(),
        peer.maxVersion(),
        peer.features(),
        peer.cluster(),
        peer.nodeId(),
        peer.expectedNodeId(),
        peer.incarnation(),
        peer.expectedIncarnation(),
        true,
        false,
        false,
        peer.authentication(),
        null,
        peer.limits(),
        peer.types());
  }

  private interface Meanwhile {
    void run(Connections connections, Connection connection);
  }

  /** A sender has put a connection into the table, and no link is begun. */
  private static void whileEntered(Meanwhile meanwhile) {
    MessagingNode node = NowhereProvider.openNode();
    try {
      Connections connections = node.connections();
      Connection connection = connections.newConnection(2);
      assertThat(connections.enter(connection)).isSameAs(connection);
      meanwhile.run(connections, connection);
      await("the end", connections::allSettled);
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  private static PeerSession accepted(Connections connections) {
    PeerSession session = (PeerSession) Objects.requireNonNull(connections.accept("peer-2:1"));
    session.opened(new TakingLink());
    return session;
  }

  /** Takes whatever is sent. */
  private static final class TakingLink implements Link {

    @Override
    public boolean write(OutboundSource source) {
      OutboundRanges ranges = new OutboundRanges(4);
      for (long bytes = source.next(ranges); bytes > 0; bytes = source.next(ranges)) {
        source.sentAndCompleted(bytes);
      }
      return true;
    }

    @Override
    public void close() {}

    @Override
    public String remote() {
      return "peer-2:1";
    }
  }
}
