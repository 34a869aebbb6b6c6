package org.ringwire.engine;

import java.util.function.Consumer;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.outbound.OutboundPipe;

/** Writes what has been put off, to all peers. Any thread; does not wait. */
record Flushing(Connections connections) {

  /** By this thread. */
  void now() {
    each(OutboundPipe::drain);
  }

  /** By the flusher, soon: for who must not be kept by a medium. */
  void later() {
    each(OutboundPipe::drainLater);
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
