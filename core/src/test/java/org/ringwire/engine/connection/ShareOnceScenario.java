package org.ringwire.engine.connection;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;

/**
 * While the HELLO of a link of the peer's is answered its next one takes the place of that, and
 * ours ends.
 */
public final class ShareOnceScenario extends HandshakeScenario {

  private static final Hello HELLO = RawPeer.listening(2, 77, Handshake.SHARES);

  /** By reflection. */
  public ShareOnceScenario() {}

  /** Whether the peer hears once that its link is shared, by the WELCOME. */
  @Override
  boolean holds(MessagingNode node, Connections connections) {
    Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
    PeerSession ours = Objects.requireNonNull(connection.outbound());
    ours.opened(new TakingLink());
    PeerSession first = NowhereProvider.accepted(connections);
    first.opened(new TakingLink());
    List<Integer> kinds = new CopyOnWriteArrayList<>();
    PeerSession next = NowhereProvider.accepted(connections);
    next.opened(new NotingLink(kinds));
    between(() -> {
      ours.end("what was there has gone");
      connections.admissions().hello(next, HELLO);
      ours.closed(null);
    });
    connections.admissions().hello(first, HELLO);

    boolean shares = connection.dataSession() == next && kinds.contains(FrameLayout.WELCOME);
    boolean once = !kinds.contains(FrameLayout.SHARE);
    first.closed(null);
    next.closed(null);
    return shares && once;
  }
}
