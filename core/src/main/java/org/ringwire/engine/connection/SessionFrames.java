package org.ringwire.engine.connection;

import java.lang.foreign.MemorySegment;
import org.ringwire.EndReason;
import org.ringwire.engine.connection.handshake.Handshakes;
import org.ringwire.engine.connection.link.DataPath;
import org.ringwire.engine.dispatch.InboundPipe;
import org.ringwire.engine.inbound.Delivery;
import org.ringwire.engine.inbound.InboundGrants;
import org.ringwire.engine.inbound.ReceiveWindow;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.assembly.FrameAssembler;

/** What frames mean on a link whose handshake is over. Reading thread of the link. */
final class SessionFrames {

  private final PeerSession session;
  private final FrameAssembler assembler;
  private final DataPath data;
  private final InboundPipe inbound;
  private final InboundGrants grants;
  private final ReceiveWindow window;

  SessionFrames(
      PeerSession session,
      FrameAssembler assembler,
      DataPath data,
      InboundPipe inbound,
      InboundGrants grants,
      ReceiveWindow window) {
    this.session = session;
    this.assembler = assembler;
    this.data = data;
    this.inbound = inbound;
    this.grants = grants;
    this.window = window;
  }

  /**
   * The header of a frame whose rest has still to come; reading thread. What neither credit nor a
   * grant nor the reservation covers is found here, before it takes memory: a peer may cost no more
   * than it was granted.
   */
  void begins(int kind, long header) {
    if (kind != FrameLayout.MESSAGE
        && kind != FrameLayout.REQUEST
        && kind != FrameLayout.RESPONSE) {
      return; // short, whatever it says
    }
    session.requireData(kind);
    long occupied = FrameLayout.occupied(FrameLayout.length(header));
    if (FrameLayout.isGranted(header)) {
      grants.require(occupied);
    } else if (kind == FrameLayout.RESPONSE) {
      requireReserved(occupied);
    } else {
      inbound.requireCredit(occupied);
    }
  }

  /** Any frame but a MESSAGE; reading thread. */
  void frame(int kind, MemorySegment memory, long offset, long header) {
    switch (kind) {
      case FrameLayout.REQUEST -> {
        session.requireData(kind);
        requireCorrelation(memory, offset, header);
        session.control().beforeMessage();
        inbound.message(assembler, memory, offset, header);
      }
      case FrameLayout.RESPONSE -> {
        session.requireData(kind);
        response(memory, offset, header);
      }
      case FrameLayout.FAILURE -> {
        session.requireData(kind);
        inbound.failure(memory, offset, header);
      }
      case FrameLayout.TYPE -> {
        session.requireData(kind);
        inbound.announced(TypeAnnouncement.parse(memory, offset, header));
      }
      case FrameLayout.CREDIT -> credit(memory, offset);
      case FrameLayout.PING, FrameLayout.ANNOUNCE, FrameLayout.WAIVE, FrameLayout.CLOSE ->
          asked(kind, memory, offset, header);
      case FrameLayout.PONG -> session.pulse().answered(ControlFrames.token(memory, offset));
      case FrameLayout.GRANT -> data.granted(ControlFrames.token(memory, offset));
      case FrameLayout.DELAY ->
          data.delayed(
              ControlFrames.token(memory, offset), ControlFrames.delayText(memory, offset, header));
      case FrameLayout.SHARE -> session.handshake().peerShares();
      default -> throw session.unexpected(kind);
    }
  }

  /** What this side has to answer. */
  private void asked(int kind, MemorySegment memory, long offset, long header) {
    session.control().beginAnswer();
    try {
      switch (kind) {
        case FrameLayout.PING -> pinged(ControlFrames.token(memory, offset));
        case FrameLayout.ANNOUNCE -> announce(memory, offset);
        case FrameLayout.WAIVE -> waived(ControlFrames.waivedBytes(memory, offset));
        default -> closing(memory, offset, header);
      }
    } finally {
      session.control().endAnswer();
    }
  }

  /** Inside a node 0 stands for a message, which nobody answers: who asks would wait in vain. */
  private static void requireCorrelation(MemorySegment memory, long offset, long header) {
    if (Delivery.correlation(memory, offset, header) == 0) {
      throw new ProtocolException(Reason.VALUE, "REQUEST with the correlation id 0");
    }
  }

  private void response(MemorySegment memory, long offset, long header) {
    long occupied = FrameLayout.occupied(FrameLayout.length(header));
    boolean granted = FrameLayout.isGranted(header);
    if (granted) {
      grants.use(occupied);
    } else {
      requireReserved(occupied);
    }
    try {
      inbound.response(memory, offset, header);
    } finally {
      if (granted) {
        grants.processed(occupied);
      }
    }
  }

  private static void requireReserved(long occupied) {
    if (occupied > Handshakes.RESPONSE_RESERVATION) {
      throw new ProtocolException(
          Reason.FRAME_LENGTH,
          "response longer than reserved: occupiedLength="
              + occupied
              + " limit="
              + Handshakes.RESPONSE_RESERVATION);
    }
  }

  /** Also tells what was processed: who asks may wait for nothing else. */
  private void pinged(long token) {
    if (window.owesCredit()) {
      session.creditDue();
    }
    session.control().pongDue(token);
  }

  private void credit(MemorySegment memory, long offset) {
    data.credit(
        ControlFrames.processedBytes(memory, offset),
        ControlFrames.processedMessages(memory, offset),
        ControlFrames.granted(memory, offset));
  }

  private void waived(long bytes) {
    session.requireData(FrameLayout.WAIVE);
    if (!window.waive(bytes)) {
      throw new ProtocolException(
          Reason.WINDOW, "the peer waives credit that it does not have: bytes=" + bytes);
    }
    session.creditDue();
  }

  private void announce(MemorySegment memory, long offset) {
    session.requireData(FrameLayout.ANNOUNCE);
    long length = ControlFrames.announcedLength(memory, offset);
    if (window.growFor(length)) {
      session.creditDue();
    }
    grants.announced(ControlFrames.token(memory, offset), length);
  }

  private void closing(MemorySegment memory, long offset, long header) {
    CloseReason reason = CloseReason.of(FrameLayout.type(header));
    Connection connection = session.connection();
    if (reason == CloseReason.FINISHED) {
      if (connection != null) {
        connection.orderlyEnd().peerFinished();
      }
      return;
    }
    String text = ControlFrames.closeText(memory, offset, header);
    session.ending().explain(meaningOf(reason), "closed by the peer: " + reason + ": " + text);
    window.creditEverything();
    session.creditDue();
    if (connection != null) {
      connection.orderlyEnd().peerCloses(reason);
    }
  }

  private static EndReason meaningOf(CloseReason reason) {
    return switch (reason) {
      case NODE_CLOSING -> EndReason.PEER_CLOSED;
      case DISMISSED -> EndReason.DISMISSED;
      case NO_SIGN_OF_LIFE -> EndReason.NO_SIGN_OF_LIFE;
      case REPLACED -> EndReason.REPLACED;
      case UNKNOWN, INTERNAL_ERROR, FINISHED -> EndReason.LINK_LOST;
      case PROTOCOL_VIOLATION, SCHEMA_MISMATCH, LIMIT, AUTHENTICATION -> EndReason.RULE_BROKEN;
    };
  }
}
