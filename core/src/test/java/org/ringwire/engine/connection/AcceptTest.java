package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.engine.MessagingNode;
import org.ringwire.testing.NodeWatcher;

/** Links and connections that cannot be made, as it is for want of heap: nothing of them stays. */
@ExtendWith(NodeWatcher.class)
class AcceptTest {

  private final MessagingNode node =
      (MessagingNode)
          MessagingNode.open(
              NodeConfig.builder(1)
                  .transport("nowhere")
                  .peers(NodeDirectory.mutable())
                  .maxHandshakes(1)
                  .build(),
              1,
              new NowhereProvider());
  private final Connections connections = node.connections();

  @AfterEach
  void close() {
    node.close(Duration.ofSeconds(1));
  }

  @Test
  void shouldKeepNoPlaceAmongHandshakes() {
    assertThatThrownBy(() -> connections.accept(null)).isInstanceOf(NullPointerException.class);
    assertThat(connections.handshakesNow()).isZero();
  }

  @Test
  void shouldWaitForNoEndOfAConnectionThatWasNotEntered() {
    Connection connection = connections.newConnection(Node.MAX_ID + 1);
    assertThatThrownBy(() -> connections.enter(connection))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(connections.allSettled()).isTrue();
  }
}
