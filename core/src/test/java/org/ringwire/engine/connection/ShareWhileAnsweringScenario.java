package org.ringwire.engine.connection;

import java.util.Objects;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.wire.Handshake;

/** Our link ends while another thread answers the HELLO of the peer's. */
public final class ShareWhileAnsweringScenario extends HandshakeScenario {

  /** By reflection. */
  public ShareWhileAnsweringScenario() {}

  /** Whether the peer's link carries the data of both then. */
  @Override
  boolean holds(MessagingNode node, Connections connections) {
    Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
    PeerSession ours = Objects.requireNonNull(connection.outbound());
    ours.opened(new TakingLink());
    PeerSession peers = NowhereProvider.accepted(connections);
    peers.opened(new TakingLink());
    between(() -> ours.closed(null));
    connections.admissions().hello(peers, RawPeer.listening(2, 77, Handshake.SHARES));

    boolean shares =
        connection.state() == ConnectionState.OPEN && connection.dataSession() == peers;
    peers.closed(null);
    return shares;
  }
}
