package org.ringwire.tools.bench.pair;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.ringwire.LossReport;
import org.ringwire.NodeListener;
import org.ringwire.tools.console.Text;

/**
 * Connections of a node that broke while it was measured: the reason why messages are missing. The
 * node tells, on a thread of its own; any thread asks.
 */
final class BrokenConnections implements NodeListener {

  private final Queue<LossReport> reports = new ConcurrentLinkedQueue<>();

  @Override
  public void lost(LossReport report) {
    if (!report.isClean() || !report.reason().isOrderly()) {
      reports.add(report);
    }
  }

  /** Tells of each once. */
  void tell(Consumer<String> lines) {
    for (LossReport report = reports.poll(); report != null; report = reports.poll()) {
      lines.accept(
          Text.format(
              "the connection to node %d broke: %s: %d messages lost, %d uncertain",
              report.nodeId(), report.cause(), report.lost(), report.uncertain()));
    }
  }
}
