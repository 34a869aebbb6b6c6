package org.ringwire;

import java.util.List;

/**
 * What could not be delivered, handled or answered when a node was closed. It covers what the close
 * has ended. What connections had lost that ended before was told when they did, by {@link
 * NodeListener#lost}, and is counted, with what is told here, by {@link NodeMetrics#messagesLost}
 * and {@link NodeMetrics#messagesUncertain}, which can be read of a closed node, too.
 *
 * @param undelivered a report for each connection that ended while the node closed, and of which
 *     not all messages are known to be processed
 * @param requestsCancelled requests that had no response by then
 * @param abandoned messages and requests that had arrived, and whose handlers were never called,
 *     had not ended, or had retained them and not closed them
 * @param unanswered requests of other nodes that are known to get no answer, because their handlers
 *     were never called or answered when their time was over; those whose handlers still run are
 *     among the abandoned only
 * @param isComplete whether all is known; otherwise another thread was still closing the node when
 *     this was made, a handler has kept the thread that ends connections, or a codec has not
 *     returned that encodes a message: then there may be more than is told here
 */
public record CloseReport(
    List<LossReport> undelivered,
    long requestsCancelled,
    long abandoned,
    long unanswered,
    boolean isComplete) {

  /** Of a node that another thread is still closing. */
  public static final CloseReport UNKNOWN = new CloseReport(List.of(), 0, 0, 0, false);

  /** Copies the list. */
  public CloseReport {
    undelivered = List.copyOf(undelivered);
  }

  /** Of a node that has been closed. */
  public CloseReport(List<LossReport> undelivered, long requestsCancelled) {
    this(undelivered, requestsCancelled, 0, 0, true);
  }

  /**
   * Whether everything is known to have been processed, here and by other nodes, that was accepted
   * for connections that ended while the node closed, or had arrived, and every request answered
   * that was open then; false as long as nobody can know. Connections that ended before are not in
   * it.
   */
  public boolean isClean() {
    return isComplete
        && undelivered.isEmpty()
        && requestsCancelled == 0
        && abandoned == 0
        && unanswered == 0;
  }
}
