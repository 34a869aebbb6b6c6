package org.ringwire.engine.connection;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.testing.Awaiting;
import org.ringwire.wire.Hello;

/**
 * The link of a HELLO ends while it is decided about, after it was seen not to have; the link that
 * it is to take the place of ends, too, and the next one of the same life comes. Public, because
 * {@link org.ringwire.testing.MutantLoader} makes one.
 */
public final class LateReplacementScenario implements BooleanSupplier {

  private static final Hello HELLO = RawPeer.hello(2, 77, "default");

  private static Runnable between = () -> {};

  /** By reflection. */
  public LateReplacementScenario() {}

  /** Called when the link of a HELLO was seen not to have ended. */
  public static void between() {
    Runnable once = between;
    between = () -> {};
    once.run();
  }

  /** Whether that next one stays, and the attempt to connect goes on. */
  @Override
  public boolean getAsBoolean() {
    MessagingNode node = NowhereProvider.openNode();
    try {
      Connections connections = node.connections();
      Connection connection = ((ConnectResult.Begun) connections.connect(2)).connection();
      PeerSession old = NowhereProvider.accepted(connections);
      PeerSession late = NowhereProvider.accepted(connections);
      PeerSession next = NowhereProvider.accepted(connections);
      connections.admissions().hello(old, HELLO);
      between =
          () -> {
            late.closed(null);
            old.closed(null);
            connections.admissions().hello(next, HELLO);
          };
      connections.admissions().hello(late, HELLO);

      boolean stays = connection.inbound() == next && !next.ending().isBegun();
      boolean goesOn = !connection.isEnded();
      next.closed(null);
      Objects.requireNonNull(connection.outbound()).closed(null);
      Awaiting.await("the end", connections::allSettled);
      return stays && goesOn;
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }
}
