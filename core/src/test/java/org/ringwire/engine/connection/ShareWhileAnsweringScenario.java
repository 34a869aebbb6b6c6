package org.ringwire.engine.connection;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.testing.Awaiting;
import org.ringwire.wire.Handshake;

/**
 * Our link ends while another thread answers the HELLO of the peer's. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class ShareWhileAnsweringScenario implements BooleanSupplier {

  private static Runnable between = () -> {};

  /** By reflection. */
  public ShareWhileAnsweringScenario() {}

  /** Called when a HELLO is about to be answered. */
  public static void between() {
    Runnable once = between;
    between = () -> {};
    once.run();
  }

  /** Whether the peer's link carries the data of both then. */
  @Override
  public boolean getAsBoolean() {
    MessagingNode node = NowhereProvider.openNode();
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession ours = Objects.requireNonNull(connection.outbound());
      ours.opened(new TakingLink());
      PeerSession peers = NowhereProvider.accepted(connections);
      peers.opened(new TakingLink());
      between = () -> ours.closed(null);
      connections.admissions().hello(peers, RawPeer.listening(2, 77, Handshake.SHARES));

      boolean shares =
          connection.state() == ConnectionState.OPEN && connection.dataSession() == peers;
      peers.closed(null);
      Awaiting.await("the end", connections::allSettled);
      return shares;
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }
}
