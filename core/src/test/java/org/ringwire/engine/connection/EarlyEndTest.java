package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EndReason;
import org.ringwire.engine.MessagingNode;
import org.ringwire.testing.NodeWatcher;

/** A connection ends before it has a link, whose end it would hear of. */
@ExtendWith(NodeWatcher.class)
class EarlyEndTest {

  @Test
  void shouldSettleAConnectionThatHasEndedBeforeItsLinkWasBegun() {
    MessagingNode node = NowhereProvider.openNode();
    try {
      Connections connections = node.connections();
      Connection connection = connections.enter(connections.newConnection(2));
      connection.end(EndReason.NODE_CLOSED, "this node was closed");
      connection.startOutbound("nowhere");
      PeerSession late = (PeerSession) Objects.requireNonNull(connections.accept("peer-2:1"));
      assertThat(connection.attach(late)).isFalse();
      late.closed(null);
      assertThat(connection.hasLink()).isFalse();
      assertThat(connections.listed(2)).isNull();
      await("the end of the connection", connections::allSettled);
      assertThat(connections.isAccountComplete()).isTrue();
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }
}
