package org.ringwire;

import java.util.List;

/**
 * What could not be delivered when a node was closed.
 *
 * @param undelivered a report for each connection that did not end empty
 * @param requestsCancelled requests that had no response by then
 */
public record CloseReport(List<LossReport> undelivered, long requestsCancelled) {

  /** Copies the list. */
  public CloseReport {
    undelivered = List.copyOf(undelivered);
  }

  /** Whether everything accepted was processed and every request answered. */
  public boolean isClean() {
    return undelivered.isEmpty() && requestsCancelled == 0;
  }
}
