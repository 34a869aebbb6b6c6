package org.ringwire.engine;

import java.util.concurrent.TimeUnit;
import org.ringwire.LossReport;

/**
 * The last act of a connection, when both its links have ended: waits for who still encodes, counts
 * what became of every message, frees, and reports. On the thread for chores, as often as it takes.
 */
final class Settlement implements Runnable {

  private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final NodeServices services;
  private final Connections connections;
  private final Connection connection;
  private boolean waited;

  Settlement(NodeServices services, Connections connections, Connection connection) {
    this.services = services;
    this.connections = connections;
    this.connection = connection;
  }

  @Override
  public void run() {
    PeerSession data = connection.dataSession();
    if (data != null && !awaitSenders(data)) {
      services.later(() -> services.chore(this), AGAIN_NS);
      return;
    }
    LossReport report = report(data == null ? SessionTotals.NONE : data.data().totals());
    connections.retire(connection);
    PeerSession out = connection.outbound();
    PeerSession in = connection.inbound();
    if (out != null) {
      connections.free(out);
    }
    if (in != null && in != out) {
      connections.free(in);
    }
    connections.settled(connection, report, !connection.neverOpened());
  }

  private LossReport report(SessionTotals totals) {
    long processed = Math.min(totals.processed(), totals.started()); // what a peer says is a claim
    return new LossReport(
        connection.nodeId(),
        connection.endReason(),
        connection.cause(),
        totals.started() + totals.unsent(),
        processed,
        totals.unsent(),
        totals.started() - processed);
  }

  /**
   * Whether nobody writes any more, nor encodes: who has claimed room will be accepted. A codec may
   * block for longer than other chores can wait; then this is asked again, except that a node which
   * closes goes on after a while.
   */
  private boolean awaitSenders(PeerSession data) {
    boolean closing = connections.isClosing();
    long patienceNs = waited && !closing ? 0 : WAIT_NS;
    waited = true;
    boolean quiet =
        Bounded.await(
            () -> data.pipe().tryRetire() && data.data().isCommitted(),
            System.nanoTime() + patienceNs);
    if (!quiet && closing) {
      services
          .errors()
          .warn("a codec still encodes: what was sent after its message is in no report");
    }
    return quiet || closing;
  }
}
