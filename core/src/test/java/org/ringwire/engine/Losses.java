package org.ringwire.engine;

import java.util.Queue;
import java.util.concurrent.ExecutionException;
import org.ringwire.LossReport;
import org.ringwire.MessagingException;
import org.ringwire.NodeListener;

/** Keeps what a node tells of connections that are lost. */
final class Losses implements NodeListener {

  private static final int TRIES = 3;

  /** What shows that somebody is kept. */
  @FunctionalInterface
  interface Keeping {
    void run() throws Exception;
  }

  private final Queue<LossReport> reports;

  Losses(Queue<LossReport> reports) {
    this.reports = reports;
  }

  /**
   * Whose threads do not run for so long is silent, too: so it may fail, though not every time.
   *
   * @param reports what is known of those that are lost, forgotten before each other try
   */
  static void holdOnce(Queue<LossReport> reports, Keeping body) throws Exception {
    for (int tried = 1; true; tried++) {
      try {
        body.run();
        return;
      } catch (AssertionError | MessagingException | ExecutionException e) {
        if (tried == TRIES) {
          throw e;
        }
      }
      reports.clear();
    }
  }

  @Override
  public void lost(LossReport report) {
    reports.add(report);
  }
}
