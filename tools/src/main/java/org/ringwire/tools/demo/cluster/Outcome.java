package org.ringwire.tools.demo.cluster;

/**
 * What the nodes found and sent, put together by the coordinator.
 *
 * @param edges edges of all workers together
 * @param levels level of every vertex
 * @param ranks rank of every vertex
 * @param searchMessages visits that were sent
 * @param rankMessages shares that were sent
 * @param handledMessages visits and shares that were handled
 * @param misplacedMessages those among them that came in a wrong phase
 * @param searchNanos duration of the search, barriers included
 * @param rankNanos duration of PageRank, barriers included
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record Outcome(
    long edges,
    int[] levels,
    double[] ranks,
    long searchMessages,
    long rankMessages,
    long handledMessages,
    long misplacedMessages,
    long searchNanos,
    long rankNanos) {

  /** Visits and shares that were sent. */
  public long messages() {
    return searchMessages + rankMessages;
  }

  /** Time that these took, in seconds. */
  public double seconds() {
    return (searchNanos + rankNanos) / 1e9;
  }
}
