package org.ringwire.engine;

import java.util.function.Consumer;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.outbound.OutboundPipe;

/** Writes what has been put off, to all peers. Any thread; does not wait. */
record Flushing(Connections connections) {

  /**
   * Ready before it is needed: a lambda that finds no heap where it comes first is lost for ever.
   */
  private static final Consumer<OutboundPipe> NOW = OutboundPipe::drain;

  private static final Consumer<OutboundPipe> LATER = OutboundPipe::drainLater;

  /** By this thread. */
  void now() {
    each(NOW);
  }

  /** By the flusher, soon: for who must not be kept by a medium. */
  void later() {
    each(LATER);
  }

  private void each(Consumer<OutboundPipe> action) {
    for (Connection connection : connections.all()) {
      PeerSession session = connection.dataSession();
      if (session != null) {
        action.accept(session.pipe());
      }
    }
  }
}
