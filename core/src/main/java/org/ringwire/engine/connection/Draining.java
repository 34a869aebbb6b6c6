package org.ringwire.engine.connection;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.NodeConfig;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;

/**
 * The steps of the {@link OrderlyEnd} of one connection, which either side may begin; both do the
 * same. First nothing new is accepted. When all that was accepted has been written, a CLOSE says
 * that no message and no request follows; the peer answers by doing as much. When the peer has
 * processed everything, and every request of this side has ended, a CLOSE with {@link
 * CloseReason#FINISHED} says that this side needs the connection no more; until then it goes on to
 * answer what the peer has asked. Who has said so and heard it closes. So a connection lives for
 * two round trips more at least (DXNet paper section IX-3), and then as long as one side waits for
 * anything, within its patience.
 *
 * <p>A node that closes has said how long it waits, and cuts what is left then ({@code
 * engine.Shutdown}): its patience begins when that is over, for the case that it comes no further.
 * If it drains by then because it was dismissed, another CLOSE tells the peer: a handler there may
 * wait for the end of the drain, which waits for that handler. The peer cannot know the time. It
 * takes part as long as anything is due between the two, and has patience from then on: a peer that
 * goes earlier is noticed by its links, or its silence.
 *
 * <p>{@link #advance} does the next step if its time has come. The timer calls it, and the thread
 * that closes the node; whoever comes while another is inside just leaves, since nobody may wait
 * here: over loopback, sending runs the peer's side of this in the same thread.
 */
final class Draining {

  private final NodeServices services;
  private final Connections connections;
  private final Connection connection;
  private final EndReason reason;
  private final CloseReason told;
  private final long patienceNs;
  private final AtomicBoolean inside = new AtomicBoolean();
  private volatile @Nullable CloseReason said; // written by who is inside
  private volatile boolean finished; // written by who is inside
  private long awaited; // of who is inside: a request that waits for its answer, or 0
  private volatile long deadlineNs; // only grows; written with the monitor held
  private volatile boolean peerFinished;
  private volatile boolean nodeCloses;

  /**
   * A drain that begins now.
   *
   * @param reason how the connection ends for this side
   * @param told what the peer is told
   * @param untilNs when the time for it is over and patience begins, as {@link System#nanoTime}
   */
  Draining(
      Connections connections,
      Connection connection,
      EndReason reason,
      CloseReason told,
      long untilNs) {
    this.connections = connections;
    services = connections.services();
    this.connection = connection;
    this.reason = reason;
    this.told = told;
    patienceNs = patienceNs(services.config());
    deadlineNs = untilNs + patienceNs;
  }

  /** How long a drain may take of which nobody has said that it may take longer. */
  static long patienceNs(NodeConfig config) {
    return Math.max(config.requestTimeout().toNanos(), config.closeTimeout().toNanos());
  }

  /** It may take until then, and patience begins no sooner. Any thread. */
  synchronized void grant(long untilNs) {
    if (untilNs + patienceNs - deadlineNs > 0) {
      deadlineNs = untilNs + patienceNs;
    }
  }

  /** Its node closes, whyever it drains, and says so. It may take until then. Any thread. */
  void nodeCloses(long untilNs) {
    grant(untilNs);
    nodeCloses = true;
  }

  /** Reading thread: the peer needs the connection no more. */
  void peerFinished() {
    peerFinished = true;
  }

  /** How the connection ends. */
  EndReason reason() {
    return reason;
  }

  /** Whether this side needs the connection no more: everything is processed and answered. */
  boolean isFinished() {
    return finished;
  }

  /** Does what can be done now; true if the connection has ended. */
  boolean advance() {
    if (connection.isEnded()) {
      return true;
    }
    if (!inside.compareAndSet(false, true)) {
      return false;
    }
    try {
      if (isOver()) {
        connection.end(reason, "closed in good order: " + told);
      } else if (isTimeOfThePeer()) {
        grant(System.nanoTime());
      } else if (System.nanoTime() - deadlineNs >= 0) {
        Farewell.sayInTheEnd(connection, told);
        connection.end(reason, "closed: " + told + ": the peer has not finished in time");
      }
    } finally {
      inside.set(false);
    }
    return connection.isEnded();
  }

  /**
   * Whether the peer, whose node closes, has to say when the time is over, since something is due
   * from one of the two to the other. That is no way to have more connections than there may be.
   */
  private boolean isTimeOfThePeer() {
    PeerSession in = connection.inbound();
    return connection.orderlyEnd().whyPeerCloses() == CloseReason.NODE_CLOSING
        && reason != EndReason.NODE_CLOSED // else the peer has only answered, and waits for us
        && (!finished || (in != null && in.inbound().hasUnprocessed()))
        && !connections.areTooMany();
  }

  private boolean isOver() {
    PeerSession data = connection.dataSession();
    if (data == null) {
      return true;
    }
    boolean peerKnows = connection.handshake().peerDrains();
    if (said == null) {
      data.data().endMessages(); // who has begun this drain may not have come so far
      data.pipe().drain();
      if (!data.pipe().isDrained()) {
        return false;
      }
      say(data, told);
    }
    if (nodeCloses && peerKnows && said != CloseReason.NODE_CLOSING) {
      say(data, CloseReason.NODE_CLOSING);
    }
    if (!finished) {
      if (!data.data().isProcessed()
          || (peerKnows && connection.orderlyEnd().whyPeerCloses() == null)
          || isAwaited()) {
        return false;
      }
      finished = true; // first: the peer may hear it, and be back, before the next line ends
      if (peerKnows) {
        data.control().send(ControlFrames.close(CloseReason.FINISHED, ""));
      }
    }
    return !peerKnows || peerFinished;
  }

  /** Whether a request of this side waits; most looks find the same one. */
  private boolean isAwaited() {
    awaited = services.requests().findOf(connection, awaited);
    return awaited != 0;
  }

  private void say(PeerSession data, CloseReason why) {
    data.control().send(ControlFrames.close(why, "node " + services.config().nodeId()));
    said = why;
  }
}
