package org.ringwire;

import java.util.List;

/**
 * What could not be delivered when a node was closed.
 *
 * @param undelivered a report for each connection that did not end empty
 * @param requestsCancelled requests that had no response by then
 * @param isComplete whether all is known; otherwise another thread was still closing the node when
 *     this was made, a handler has kept the thread that ends connections, or a codec has not
 *     returned that encodes a message: then there may be more than is told here
 */
public record CloseReport(
    List<LossReport> undelivered, long requestsCancelled, boolean isComplete) {

  /** Of a node that another thread is still closing. */
  public static final CloseReport UNKNOWN = new CloseReport(List.of(), 0, false);

  /** Copies the list. */
  public CloseReport {
    undelivered = List.copyOf(undelivered);
  }

  /** Of a node that has been closed. */
  public CloseReport(List<LossReport> undelivered, long requestsCancelled) {
    this(undelivered, requestsCancelled, true);
  }

  /**
   * Whether everything accepted is known to have been processed and every request answered; false
   * as long as nobody can know.
   */
  public boolean isClean() {
    return isComplete && undelivered.isEmpty() && requestsCancelled == 0;
  }
}
