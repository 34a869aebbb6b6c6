package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  private static final int MOST = 8;

  private final MessagingNode node =
      (MessagingNode)
          MessagingNode.open(
              NodeConfig.builder(1)
                  .transport("nowhere")
                  .peers(NodeDirectory.mutable())
                  .maxHandshakes(MOST)
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
  void shouldLeaveAsManyHandshakesToOtherAddressesAsOneHas() {
    int[] taken = {MOST, MOST / 2, MOST / 4}; // the half of what there is
    AcceptedLinks links = connections.accepted();
    for (int index = 0; index < taken.length; index++) {
      String host = "192.0.2." + index;
      for (int count = 0; count < taken[index]; count++) {
        assertThat(links.tryBegin(host)).isTrue();
      }
      assertThat(links.tryBegin(host)).isFalse();
    }
    assertThat(links.tryBegin("192.0.2.99")).isTrue();
    links.handshakeEnded("192.0.2.99");
    for (int index = 0; index < taken.length; index++) {
      for (int count = 0; count < taken[index]; count++) {
        links.handshakeEnded("192.0.2." + index);
      }
    }
    assertThat(connections.handshakesNow()).isZero();
    assertThat(links.tryBegin("192.0.2.1")).isTrue();
    links.handshakeEnded("192.0.2.1");
  }

  @Test
  void shouldTakeInPeersOfOtherAddressesWhileOneSaysNothing() {
    List<PeerSession> silent = new ArrayList<>();
    for (int count = 0; count <= MOST; count++) {
      silent.add(accept("192.0.2.1:" + count));
    }
    assertThat(node.metrics().handshakesRefused()).isEqualTo(1);
    PeerSession other = accept("192.0.2.2:1");
    assertThat(node.metrics().handshakesRefused()).isEqualTo(1);
    other.closed(null);
    silent.forEach(session -> session.closed(null));
    assertThat(connections.handshakesNow()).isZero();
  }

  /** A peer's link, on which it says nothing. */
  private PeerSession accept(String remote) {
    PeerSession session = (PeerSession) Objects.requireNonNull(connections.accept(remote));
    session.opened(new TakingLink());
    return session;
  }

  @Test
  void shouldWaitForNoEndOfAConnectionThatWasNotEntered() {
    Connection connection = connections.newConnection(Node.MAX_ID + 1);
    assertThatThrownBy(() -> connections.enter(connection))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(connections.allSettled()).isTrue();
  }
}
