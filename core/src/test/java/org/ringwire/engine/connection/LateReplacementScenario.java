package org.ringwire.engine.connection;

import java.util.Objects;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.wire.Hello;

/**
 * The link of a HELLO ends while it is decided about, after it was seen not to have; the link that
 * it is to take the place of ends, too, and the next one of the same life comes.
 */
public final class LateReplacementScenario extends HandshakeScenario {

  private static final Hello HELLO = RawPeer.hello(2, 77, "default");

  /** By reflection. */
  public LateReplacementScenario() {}

  /** Whether that next one stays, and the attempt to connect goes on. */
  @Override
  boolean holds(MessagingNode node, Connections connections) {
    Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
    PeerSession old = NowhereProvider.accepted(connections);
    PeerSession late = NowhereProvider.accepted(connections);
    PeerSession next = NowhereProvider.accepted(connections);
    connections.admissions().hello(old, HELLO);
    between(() -> {
      late.closed(null);
      old.closed(null);
      connections.admissions().hello(next, HELLO);
    });
    connections.admissions().hello(late, HELLO);

    boolean stays = connection.inbound() == next && !next.ending().isBegun();
    boolean goesOn = !connection.isEnded();
    next.closed(null);
    Objects.requireNonNull(connection.outbound()).closed(null);
    return stays && goesOn;
  }
}
