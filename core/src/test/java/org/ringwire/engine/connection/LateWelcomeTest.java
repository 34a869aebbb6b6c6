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

/** A HELLO that has waited for this node's own link is answered when its own has just ended. */
@ExtendWith(NodeWatcher.class)
class LateWelcomeTest {

  @Test
  void shouldRefuseNobodyForWantOfMemoryWhoseLinkHasEnded() {
    MessagingNode node = NowhereProvider.openNode();
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession session =
          (PeerSession) Objects.requireNonNull(connections.accept("peer-2:1"), "session");
      session.closed(null);
      session.handshake().welcome(connection, RawPeer.hello(2, 77, "default"), false, true);
      assertThat(node.metrics().handshakesRefused()).isZero();
      Objects.requireNonNull(connection.outbound(), "outbound").closed(null);
      await("the end", connections::allSettled);
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }
}
