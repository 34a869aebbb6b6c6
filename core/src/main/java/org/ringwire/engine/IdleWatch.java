package org.ringwire.engine;

import java.util.ArrayList;
import java.util.List;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.connection.link.DataPath;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.Periodic;
import org.ringwire.ring.NativeTrim;

/**
 * Looks for what a node holds and does not use: connections on which nothing was sent for a while,
 * those that have ended, and buffers that lie idle. Looks twice in that time, on the timer's
 * thread, at counters that exist anyway, so that sending costs nothing more; what takes longer is
 * left to the thread for chores. What was freed then leaves the process ({@link NativeTrim}).
 */
final class IdleWatch {

  private final NodeServices services;
  private final Connections connections;
  private final long idleNs;

  private IdleWatch(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
    idleNs = services.config().idleTime().toNanos();
  }

  /** Begins to watch; ends with the timers of the node. */
  static void start(NodeServices services, Connections connections) {
    IdleWatch watch = new IdleWatch(services, connections);
    Periodic.start(services, "idle watch", watch.idleNs / 2, watch::look);
  }

  private void look() {
    long now = System.nanoTime();
    List<DataPath> idle = new ArrayList<>();
    for (Connection connection : connections.all()) {
      PeerSession data = connection.state().takesMessages() ? connection.dataSession() : null;
      if (data != null && data.data().isIdle(now, idleNs)) {
        idle.add(data.data());
      }
    }
    connections.forgetRecent();
    services.buffers().trim();
    services.transport().trim();
    if ((!idle.isEmpty() || NativeTrim.isDue()) && !connections.isClosing()) {
      services.chore(new Rest(idle));
    }
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Rest(List<DataPath> idle) implements Runnable {
    @Override
    public void run() {
      for (DataPath each : idle) {
        each.rest();
      }
      NativeTrim.trim();
    }
  }
}
