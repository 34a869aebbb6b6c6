package org.ringwire.engine.connection;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.engine.connection.link.SessionTotals;
import org.ringwire.engine.services.Bounded;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.idle.HeapRetry;

/**
 * The last act of a connection, when both its links have ended: waits for who still encodes, counts
 * what became of every message, reports, and frees. On the thread for chores, as often as it takes.
 */
final class Settlement implements Runnable {

  private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final NodeServices services;
  private final Connections connections;
  private final Connection connection;
  private final long beganNs = System.nanoTime();
  private final Runnable again = new Again(this); // made before, as there may be no heap for it
  private final Runnable later = new Later(this);
  private boolean waited;
  private @Nullable LossReport report;
  private boolean counted;
  private boolean listed;
  private boolean told;
  private boolean over;

  /** No lambda, as the next ones: one that finds no heap where it comes first is lost for ever. */
  private record Again(Settlement settlement) implements Runnable {
    @Override
    public void run() {
      settlement.again();
    }
  }

  private record Later(Settlement settlement) implements Runnable {
    @Override
    public void run() {
      settlement.later();
    }
  }

  private record Quiet(PeerSession data) implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      return data.pipe().tryRetire() && data.data().isCommitted();
    }
  }

  Settlement(NodeServices services, Connections connections, Connection connection) {
    this.services = services;
    this.connections = connections;
    this.connection = connection;
  }

  private void later() {
    services.later(again, told ? WAIT_NS : AGAIN_NS);
  }

  /** The timer, which has deadlines to watch: where no thread can be made it comes back later. */
  private void again() {
    try {
      services.chore(this);
    } catch (OutOfMemoryError e) {
      HeapRetry.run(this, later);
    }
  }

  @Override
  public void run() {
    boolean ended = false;
    try {
      ended = isOver();
    } catch (OutOfMemoryError e) {
      ended = true; // for this time: the chore is begun again at once
      throw e;
    } finally { // whatever went wrong
      if (!ended) {
        later();
      }
    }
  }

  /** An executor that has found no thread may have kept it all the same: then it comes twice. */
  private synchronized boolean isOver() {
    if (over) {
      return true;
    }
    PeerSession data = connection.dataSession();
    boolean quiet = data == null || isQuiet(data);
    if (report == null && (quiet || goesOnWithout())) {
      report = reportOf(data == null ? SessionTotals.NONE : data.data().totals());
      connections.carried().retire(connection);
    }
    boolean frees = quiet || connections.isClosing();
    if (report != null && frees) {
      free();
    }
    if (report != null && !told) {
      tell(report);
    }
    if (told && frees) {
      over = true;
      connections.over();
      return true;
    }
    return false;
  }

  /** Whether nobody writes any more, nor encodes: who has claimed room will be accepted. */
  private boolean isQuiet(PeerSession data) {
    long patienceNs = waited && !connections.isClosing() ? 0 : WAIT_NS;
    waited = true;
    return Bounded.await(new Quiet(data), System.nanoTime() + patienceNs);
  }

  /**
   * A codec may block for longer than other chores can wait; then it is asked again. A node that
   * closes goes on after a while, and so does one whose codec is not to be expected back: the
   * memory that it may still write to is then kept.
   */
  private boolean goesOnWithout() {
    boolean lost =
        connection.ending().reason() == EndReason.ENCODER_LOST
            || services.slowEncoders().isLost(System.nanoTime() - beganNs);
    boolean goesOn = lost || connections.isClosing();
    if (goesOn) {
      connections.leavesOut();
      services
          .errors()
          .warn("a codec still encodes: what was sent after its message is in no report");
    }
    return goesOn;
  }

  /** Where there is no heap for a step, that and what follows are done when this is begun again. */
  private void tell(LossReport known) {
    boolean wasOpen = !connection.neverOpened();
    if (!counted) {
      counted = true; // before the listener hears, and never twice
      connections.count(known, wasOpen);
    }
    if (!listed) {
      connections.list(known);
      listed = true;
    }
    if (wasOpen) {
      connections.tell(connection, known);
    }
    told = true;
  }

  private void free() {
    PeerSession out = connection.outbound();
    PeerSession in = connection.inbound();
    if (out != null) {
      connections.free(out);
    }
    if (in != null && in != out) {
      connections.free(in);
    }
  }

  private LossReport reportOf(SessionTotals totals) {
    long processed = Math.min(totals.processed(), totals.started()); // what a peer says is a claim
    return new LossReport(
        connection.nodeId(),
        connection.ending().reason(),
        connection.cause(),
        totals.started() + totals.unsent(),
        processed,
        totals.unsent(),
        totals.started() - processed);
  }
}
