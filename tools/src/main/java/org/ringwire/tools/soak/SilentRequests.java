package org.ringwire.tools.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests of a life of a node that were not answered in time, and what may explain them: the end
 * of a connection to the node that was asked, or that one of the two stood still. A dismissal
 * explains nothing, for a connection that is dismissed delivers everything. Any thread.
 */
final class SilentRequests {

  /** An end is told late, and so may be that somebody stands still. */
  private static final long LATE_NS = Duration.ofSeconds(6).toNanos();

  private final int self;
  private final List<Span> requests = new ArrayList<>();
  private final List<Span> ends = new ArrayList<>();
  private final List<Span> stalls = new ArrayList<>();

  /** Something about a node, from one time to another. */
  private record Span(int node, long beginNs, long endNs) {

    boolean meets(Span other) {
      return beginNs - other.endNs <= LATE_NS && other.beginNs - endNs <= LATE_NS;
    }
  }

  SilentRequests(int self) {
    this.self = self;
  }

  /** A request that began at a time has got no answer up to now. */
  synchronized void timedOut(int receiver, long beginNs) {
    requests.add(new Span(receiver, beginNs, System.nanoTime()));
  }

  /** A connection to a node has ended, and was not dismissed. */
  synchronized void ended(int receiver) {
    long nowNs = System.nanoTime();
    ends.add(new Span(receiver, nowNs, nowNs));
  }

  /** A node has stood still, up to now. */
  synchronized void stalled(int node, Duration time) {
    long nowNs = System.nanoTime();
    stalls.add(new Span(node, nowNs - time.toNanos(), nowNs));
  }

  synchronized long count() {
    return requests.size();
  }

  /** Those that nothing explains: answers that were lost though their connection went on. */
  synchronized long unexplained() {
    return requests.stream().filter(request -> !isExplained(request)).count();
  }

  private boolean isExplained(Span request) {
    return ends.stream().anyMatch(end -> end.node() == request.node() && end.meets(request))
        || stalls.stream()
            .filter(stall -> stall.node() == request.node() || stall.node() == self)
            .anyMatch(stall -> stall.meets(request));
  }
}
