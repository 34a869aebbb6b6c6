package org.ringwire.engine.connection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ringwire.EndReason;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.SingleTask;
import org.ringwire.wire.CloseReason;

/**
 * Keeps a node to its number of connections: beyond it, those that were not used for longest are
 * closed in good order, whoever opened them (DXNet paper section IX-3). And sees to it that
 * connections which end in good order, for whatever reason, get on with it.
 *
 * <p>When a connection was used is sampled, from positions that exist anyway, whenever the timer
 * looks for signs of life and whenever somebody must go: sending writes nothing for it. What was
 * used between the same two samples was used at the same time, and chance decides. A connection on
 * which a request waits is in use; one that has just been opened is spared until it was used once,
 * or for {@link #GRACE_NS}. If nobody can go, there are more connections for a while.
 *
 * <p>Everything runs on the node's timer, except where it says so.
 */
final class Dismissals {

  private static final long GRACE_NS = 1_000_000_000;
  private static final long FIRST_POLL_NS = 500_000;
  private static final long LONGEST_POLL_NS = 16_000_000;
  private static final long AGAIN_NS = 10_000_000;

  private final NodeServices services;
  private final Connections connections;
  private final Set<Connection> draining = ConcurrentHashMap.newKeySet();
  private final SingleTask enforcing;
  private final SingleTask polling;
  private volatile long pollNs = FIRST_POLL_NS;

  Dismissals(NodeServices services, Connections connections) {
    this.services = services;
    this.connections = connections;
    enforcing = new SingleTask(services::later, this::enforce);
    polling = new SingleTask(services::later, this::advance);
  }

  /** Any thread: there is one connection more. */
  void connectionMade(int count) {
    if (count > services.config().maxConnections()) {
      enforceLater(0);
    }
  }

  /** Any thread, for tests: samples who was used, as the timer does now and then. */
  void sampleNow() {
    enforceLater(0);
  }

  private void enforceLater(long delayNs) {
    if (!connections.isClosing()) {
      enforcing.later(delayNs);
    }
  }

  private void enforce() {
    long now = System.nanoTime();
    int surplus = -services.config().maxConnections();
    List<Connection> candidates = new ArrayList<>();
    Set<Object> waitedFor = services.requests().connections();
    for (Connection connection : connections.all()) {
      connection.usage().sample(connection, now);
      ConnectionState state = connection.state();
      if (state == ConnectionState.OPEN || state == ConnectionState.CONNECTING) {
        surplus++;
      }
      if (state.takesMessages()
          && !waitedFor.contains(connection)
          && connection.usage().mayGo(now, GRACE_NS)) {
        candidates.add(connection);
      }
    }
    if (surplus <= 0) {
      return;
    }
    Collections.shuffle(candidates);
    candidates.sort(Comparator.comparingLong(connection -> connection.usage().lastUseNs() - now));
    for (int index = 0; index < Math.min(surplus, candidates.size()); index++) {
      candidates.get(index).drain(EndReason.DISMISSED, CloseReason.DISMISSED, now);
    }
    if (surplus > candidates.size() && !connections.isClosing()) {
      enforcing.again(AGAIN_NS);
    }
  }

  /** Any thread: a connection has begun to end in good order, or has heard of its peer. */
  void watch(Connection connection) {
    draining.add(connection);
    pollNs = FIRST_POLL_NS;
    polling.later(pollNs);
  }

  private void advance() {
    pollNs = Math.min(2 * pollNs, LONGEST_POLL_NS);
    try {
      draining.removeIf(Connection::advance);
    } finally { // whatever went wrong with one of them
      if (!draining.isEmpty()) {
        polling.again(pollNs);
      }
    }
  }
}
