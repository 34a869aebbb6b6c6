package org.ringwire.engine.connection;

import org.ringwire.engine.connection.link.Pulse;
import org.ringwire.engine.outbound.OutboundPipe;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.wire.ControlFrames;

/**
 * What one side of a link tells the other by control frames, which go out ahead of data: credit,
 * grants, signs of life, and whatever else is given as a frame. A peer that does not read them
 * loses the link. Any thread.
 *
 * <p>A peer may ask by frames of a few bytes, thousands of which are read at a time: the first of a
 * chunk of input is answered at once, the others at its end, or before a message if they have
 * waited for a while then: its handler may take its time. Were each answer written by itself, one
 * peer would keep the thread that reads from all others for as long as that many writes take, and
 * this node would take their silence for their end.
 */
public final class SessionControl {

  /** So many writes in a second are nothing to the thread that reads. */
  private static final long PATIENCE_NS = 1_000_000; // a constant: nothing is initialised for it

  private final PeerSession session;
  private final ControlQueue queue;
  private final OutboundPipe pipe;
  private boolean answered; // something in this chunk; reading thread, as the next
  private boolean owes; // the drain that others have left to the end of the chunk
  private long owesSinceNs;
  private volatile boolean gathers; // written by the reading thread

  /**
   * Of one session.
   *
   * @param queue what the pipe takes control frames from
   */
  SessionControl(PeerSession session, ControlQueue queue, OutboundPipe pipe) {
    this.session = session;
    this.queue = queue;
    this.pipe = pipe;
  }

  /** Sends a frame, or ends the link. */
  public void send(byte[] frame) {
    queue(frame);
    pipe.drain();
  }

  /** As {@link #send}, for a caller that drains later what is in the way out then. */
  void queue(byte[] frame) {
    if (!queue.add(frame)) {
      session.end("the peer does not read its control frames");
    }
  }

  /** Sends a frame; false if the peer has not read far too many already. */
  boolean trySend(byte[] frame) {
    boolean added = queue.add(frame);
    if (added) {
      pipe.drain();
    }
    return added;
  }

  /** Asks for a sign of life; returns what {@link Pulse#hasAnswered} knows this ping by. */
  public long ping() {
    long token = session.pulse().nextPing();
    send(ControlFrames.ping(token));
    return token;
  }

  /** The answer to a PING of the peer is due. */
  void pongDue(long token) {
    queue.requestPong(token);
    drain();
  }

  /** What was processed is to be told. */
  void creditDue() {
    queue.requestCredit();
    drain();
  }

  /** A large frame that the peer has announced may come. */
  void grant(long token) {
    queue(ControlFrames.grant(token));
    drain();
  }

  /** It may not yet, and the peer is told why, if it knows what that is. */
  void delay(String why, long token) {
    Connection owner = session.connection();
    if (owner != null && owner.handshake().peerKnowsDelays()) {
      queue(ControlFrames.delay(token, why));
      drain();
    }
  }

  private void drain() {
    if (!gathers) { // else whoever has set it drains later, and finds what was queued before this
      pipe.drain();
    }
  }

  /** Reading thread: a frame is looked at that asks for an answer; {@link #endAnswer} follows. */
  void beginAnswer() {
    if (answered) {
      if (!owes) {
        owesSinceNs = System.nanoTime();
        owes = true;
      }
      gathers = true;
    }
  }

  /** Reading thread: it was. */
  void endAnswer() {
    if (gathers) {
      gathers = false;
    }
    answered = true;
  }

  /** Reading thread: a message comes. */
  void beforeMessage() {
    if (owes && System.nanoTime() - owesSinceNs > PATIENCE_NS) {
      drainOwed();
    }
  }

  /** Reading thread: the chunk of input is over. */
  void endChunk() {
    answered = false;
    if (owes) {
      drainOwed();
    }
  }

  private void drainOwed() {
    owes = false;
    pipe.drain();
  }
}
