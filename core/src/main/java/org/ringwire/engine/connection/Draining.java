package org.ringwire.engine.connection;

import java.util.concurrent.atomic.AtomicBoolean;
import org.ringwire.EndReason;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;

/**
 * The orderly end of one connection, which either side may begin; both do the same. First nothing
 * new is accepted. When all that was accepted has been written, a CLOSE says that no message and no
 * request follows; the peer answers by doing as much. When the peer has processed everything, and
 * every request of this side has ended, a CLOSE with {@link CloseReason#FINISHED} says that this
 * side needs the connection no more; until then it goes on to answer what the peer has asked. Who
 * has said so and heard it closes. So a connection lives for two round trips more at least (DXNet
 * paper section IX-3), and then as long as one side waits for anything, within its patience.
 *
 * <p>{@link #advance} does the next step if its time has come. The timer calls it, and the thread
 * that closes the node; whoever comes while another is inside just leaves, since nobody may wait
 * here: over loopback, sending runs the peer's side of this in the same thread.
 */
final class Draining {

  private final NodeServices services;
  private final Connection connection;
  private final EndReason reason;
  private final CloseReason told;
  private final long deadlineNs;
  private final AtomicBoolean inside = new AtomicBoolean();
  private volatile boolean closeSent; // written by who is inside
  private volatile boolean finished; // written by who is inside
  private volatile boolean peerCloses;
  private volatile boolean peerFinished;

  /**
   * A drain that begins now.
   *
   * @param reason how the connection ends for this side
   * @param told what the peer is told
   * @param patienceNs how long it may take
   */
  Draining(
      NodeServices services,
      Connection connection,
      EndReason reason,
      CloseReason told,
      long patienceNs) {
    this.services = services;
    this.connection = connection;
    this.reason = reason;
    this.told = told;
    deadlineNs = System.nanoTime() + patienceNs;
  }

  /** Reading thread: the peer accepts nothing new either. */
  void peerCloses() {
    peerCloses = true;
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
      } else if (System.nanoTime() - deadlineNs >= 0) {
        Farewell.sayInTheEnd(connection, told);
        connection.end(reason, "closed: " + told + ": the peer has not finished in time");
      }
    } finally {
      inside.set(false);
    }
    return connection.isEnded();
  }

  private boolean isOver() {
    PeerSession data = connection.dataSession();
    if (data == null) {
      return true;
    }
    boolean peerKnows = connection.handshake().peerDrains();
    if (!closeSent) {
      data.data().endMessages(); // who has begun this drain may not have come so far
      data.pipe().drain();
      if (!data.pipe().isDrained()) {
        return false;
      }
      data.sendControl(ControlFrames.close(told, "node " + services.config().nodeId()));
      closeSent = true;
    }
    if (!finished) {
      if (!data.data().isProcessed()
          || (peerKnows && !peerCloses)
          || services.requests().count(connection) > 0) {
        return false;
      }
      finished = true; // first: the peer may hear it, and be back, before the next line ends
      if (peerKnows) {
        data.sendControl(ControlFrames.close(CloseReason.FINISHED, ""));
      }
    }
    return !peerKnows || peerFinished;
  }
}
