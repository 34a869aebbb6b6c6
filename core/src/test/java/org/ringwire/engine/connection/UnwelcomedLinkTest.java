package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.Handshake;

/** A link of ours is not welcomed in time, and the peer has opened its own. */
@ExtendWith(NodeWatcher.class)
class UnwelcomedLinkTest {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

  /** Knows in which state a connection was when this was closed. */
  private record Watched(
      TakingLink taking, Connection connection, AtomicReference<ConnectionState> closedIn)
      implements Link {

    @Override
    public boolean write(OutboundSource source) throws IOException {
      return taking.write(source);
    }

    @Override
    public void close() {
      closedIn.compareAndSet(null, connection.state());
    }

    @Override
    public String remote() {
      return taking.remote();
    }
  }

  /** Or the peer might see that end first, with which the connection would end there. */
  @Test
  void shouldTellThePeerThatItsLinkIsSharedBeforeOursEnds() {
    boolean crossed = false;
    while (!crossed) { // again after a pause, in which our link was given up before
      crossed = isToldBefore();
    }
  }

  private static boolean isToldBefore() {
    long beganNs = System.nanoTime();
    MessagingNode node = NowhereProvider.openNode(CONNECT_TIMEOUT);
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession ours = Objects.requireNonNull(connection.outbound());
      AtomicReference<ConnectionState> closedIn = new AtomicReference<>();
      ours.opened(new Watched(new TakingLink(), connection, closedIn));
      PeerSession peers = NowhereProvider.accepted(connections);
      peers.opened(new TakingLink());
      connections.admissions().hello(peers, RawPeer.listening(2, 77, Handshake.SHARES));
      boolean crossed = System.nanoTime() - beganNs < CONNECT_TIMEOUT.toNanos();

      await("the end of our link", () -> closedIn.get() != null);
      if (crossed) {
        assertThat(closedIn.get()).isEqualTo(ConnectionState.OPEN);
        assertThat(connection.outbound()).isNull();
      }
      ours.closed(null);
      assertThat(connection.isEnded() && crossed).isFalse();
      peers.closed(null);
      await("the end", connections::allSettled);
      return crossed;
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }
}
