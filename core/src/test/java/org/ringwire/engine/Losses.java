package org.ringwire.engine;

import java.util.Queue;
import org.ringwire.LossReport;
import org.ringwire.NodeListener;

/** Keeps what a node tells of connections that are lost. */
final class Losses implements NodeListener {

  private final Queue<LossReport> reports;

  Losses(Queue<LossReport> reports) {
    this.reports = reports;
  }

  @Override
  public void lost(LossReport report) {
    reports.add(report);
  }
}
