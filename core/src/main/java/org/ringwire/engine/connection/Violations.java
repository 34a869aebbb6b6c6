package org.ringwire.engine.connection;

import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.engine.connection.PeerSession.Phase;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.flight.FlightEvents;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.RefusalReason;

/**
 * What becomes of a link whose peer breaks a rule: that is counted and recorded, the peer is told
 * which rule it was, by a REFUSE before it was welcomed and by a CLOSE after that, and the link
 * ends. The first violation counts. Any thread.
 */
final class Violations {

  /** Not a constant of the code: where such a text comes first, it is made, and needs heap. */
  private static final String BROKEN_RULE;

  static {
    BROKEN_RULE = "the peer broke a rule";
  }

  private final NodeServices services;
  private final PeerSession session;

  Violations(NodeServices services, PeerSession session) {
    this.services = services;
    this.session = session;
  }

  /** The peer broke a rule, or something is wrong here with what it has sent. */
  void found(Throwable violation) {
    if (session.ending().isBegun() || session.phase() == Phase.ENDING) {
      return;
    }
    boolean told = false;
    try {
      tellOf(violation);
      told = true;
    } finally {
      if (!told) { // there is no memory
        session.end(BROKEN_RULE);
      }
    }
  }

  private void tellOf(Throwable violation) {
    Reason reason = violation instanceof ProtocolException broken ? broken.reason() : null;
    services.counters().rejected(reason);
    String text = String.valueOf(violation.getMessage());
    String rule = reason == null ? "INTERNAL" : reason.name();
    FlightEvents.get().rejected(services.config().nodeId(), session.peerId(), rule, text);
    Phase phase = session.phase();
    if (phase == Phase.AWAITING_HELLO
        || phase == Phase.AWAITING_PROOF
        || phase == Phase.DECIDING) { // it listens for an answer to its HELLO, and nothing else
      session.handshake().refuse(RefusalReason.MALFORMED, text);
      return;
    }
    session.phase(Phase.ENDING);
    String why = explain(reason, text);
    CloseReason close = reason == null ? CloseReason.INTERNAL_ERROR : CloseReason.of(reason);
    session.farewell().say(close, text);
    session.farewell().endAfterFlush(why);
  }

  /** Not every failure is the peer's; who reads of the end is told whose it was. */
  private String explain(@Nullable Reason reason, String text) {
    if (reason == null) {
      String why = "this node failed at what had come: " + text;
      session.ending().explain(EndReason.LINK_LOST, why);
      return why;
    }
    String why = reason == Reason.SCHEMA ? text : "the peer broke a rule: " + text;
    session.ending().explain(EndReason.RULE_BROKEN, why);
    return why;
  }
}
