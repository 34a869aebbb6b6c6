package org.ringwire.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.inbound.workers.VirtualThreads;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.flight.FlightEvents;
import org.ringwire.idle.Load;
import org.ringwire.ring.MemoryBudget;

/**
 * What somebody has to come back for on connections, whoever else is idle: attempts that lead
 * nowhere, ends that found no heap, messages that are never finished, grants of long messages that
 * nobody wants any more or that a peer does not use, those that found no heap, who waits for memory
 * of the process, blocking handlers, what the transport is found by, how many cores there are by
 * now, and a Flight Recorder that came into use. None of it has to do with signs of life, so none
 * of it may wait as long as those where they are far apart: callers wait for it.
 *
 * <p>On the timer's thread.
 */
final class Upkeep {

  private final NodeServices services;
  private final AttemptWatch attempts;
  private volatile boolean isTellingRecorder;

  Upkeep(NodeServices services, Connections connections) {
    this.services = services;
    attempts = new AttemptWatch(connections, services.lookups()::leave);
  }

  /**
   * Looks at all connections.
   *
   * @param judged whether this node reads what its peers send, so that they may be to blame
   */
  void look(List<Connection> all, long nowNs, boolean judged) {
    Load.PROCESS.refresh(nowNs);
    MemoryBudget.tellAgain();
    services.grants().resumeLeft();
    services.grants().look(nowNs, judged);
    services.blocking().look();
    VirtualThreads.PROCESS.look(nowNs);
    for (Connection connection : all) {
      attempts.look(connection, nowNs);
      look(connection);
    }
    try {
      tellRecorder();
    } finally {
      services.transport().upkeep(); // last: it may fail
    }
  }

  /** A recording has begun. The recorder takes its time, which signs of life do not wait for. */
  private void tellRecorder() {
    FlightEvents flight = FlightEvents.get();
    if (isTellingRecorder || !flight.isUnknown()) {
      return;
    }
    boolean begun = false;
    isTellingRecorder = true;
    try {
      services.whileOpen(() -> {
        try {
          flight.makeKnown();
        } finally {
          isTellingRecorder = false;
        }
      });
      begun = true;
    } finally {
      if (!begun) { // there is no heap for it: the next look tells
        isTellingRecorder = false;
      }
    }
  }

  private static void look(Connection connection) {
    resumeEnd(connection.outbound());
    resumeEnd(connection.inbound());
    connection.resumeEnd();
    PeerSession data = connection.dataSession();
    if (data != null) {
      data.data().giveBackAhead();
      if (data.data().hasLostClaim()) {
        connection.end(EndReason.ENCODER_LOST, "a message that was begun is never finished");
      }
    }
  }

  private static void resumeEnd(@Nullable PeerSession session) {
    if (session != null) {
      session.ending().resume();
      if (session.ending().isBegun()) {
        Connection.ends(session.connection(), session);
      }
    }
  }
}
