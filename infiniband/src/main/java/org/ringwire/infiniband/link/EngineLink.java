package org.ringwire.infiniband.link;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.transport.Link;
import org.ringwire.transport.PeerIdentity;

/**
 * A link of an engine: how its end is made, and what its thread does for it. What links have in
 * common, whatever carries their data, is their {@link LinkLife}.
 */
public interface EngineLink extends Link {

  /** What all links have in common; the same one always. */
  LinkLife life();

  /** What carries the data. */
  Engine engine();

  /** Makes this end, once; inside. */
  Terms create();

  /** Makes this end, which is created, ready for the peer's, once; inside. */
  void connect(Terms peer);

  /**
   * Tells the peer that both ends are ready, and this is the opener's; inside.
   *
   * @return false if others use all the room that links share: it is said later
   */
  boolean sayReady() throws IOException;

  /**
   * The peer is gone: who receives runs {@link LinkLife#tellGone} when all that has arrived was
   * handed over; any thread.
   */
  void peerLost();

  /** Does what was wanted of the engine's thread, by {@link LinkLife#signal}; that thread. */
  void apply(int interests);

  /**
   * Looks again for what all links share, after {@link EngineThread#starve}; that thread.
   *
   * @return false if it goes on lacking that
   */
  boolean resume();

  @Override
  default void close() {
    life().close();
  }

  @Override
  default String remote() {
    return life().remote();
  }

  @Override
  default @Nullable PeerIdentity peer() {
    return life().peer();
  }
}
