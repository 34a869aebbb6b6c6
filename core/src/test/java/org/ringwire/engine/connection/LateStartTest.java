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

/**
 * Who makes a connection may come to open our link late: the peer's HELLO has found the connection
 * in the meantime, and both share the peer's link.
 */
@ExtendWith(NodeWatcher.class)
class LateStartTest {

  record Told(long number) {}

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
      connections.admissions().hello(in, RawPeer.listening(2, 77));
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
      connections.admissions().hello(in, RawPeer.listening(2, 77));
      Objects.requireNonNull(connection.outbound()).closed(null);
      assertThat(connection.state()).isEqualTo(ConnectionState.OPEN);

      startLate(connection);
      assertThat(connection.state()).isEqualTo(ConnectionState.OPEN);
      in.closed(null);
    });
  }

  /** Our link says HELLO at the moment at which it is let go of. */
  @Test
  void shouldNotKeepWhatALinkOfOursHasAnnouncedOnceThePeersIsToBeShared() {
    whileEntered((connections, connection) -> {
      connection.startOutbound("somewhere");
      PeerSession ours = Objects.requireNonNull(connection.outbound());
      ConnectionHandshake handshake = connection.handshake();
      assertThat(handshake.hello(true).types()).isNotEmpty();
      assertThat(handshake.takeAnnounced(ours)).isNotEmpty();

      handshake.share();
      assertThat(handshake.hello(true).types()).isNotEmpty();
      assertThat(handshake.takeAnnounced(ours)).isEmpty();
      ours.closed(null);
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

  private interface Meanwhile {
    void run(Connections connections, Connection connection);
  }

  /** A sender has put a connection into the table, and no link is begun. */
  private static void whileEntered(Meanwhile meanwhile) {
    MessagingNode node = NowhereProvider.openNode();
    node.handle(Told.class, (told, exchange) -> {});
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
    PeerSession session = NowhereProvider.accepted(connections);
    session.opened(new TakingLink());
    return session;
  }
}
