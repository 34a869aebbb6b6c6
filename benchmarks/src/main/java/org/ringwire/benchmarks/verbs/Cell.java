package org.ringwire.benchmarks.verbs;

/**
 * What is measured at once.
 *
 * @param latency round trips; otherwise a stream
 * @param size bytes of a message
 * @param directions 1, or 2 at once
 * @param threads of Ringwire that send on each side; perftest has one
 */
record Cell(boolean latency, int size, int directions, int threads) {

  /** As people read it. */
  String title() {
    return latency
        ? size + " B, round trip"
        : size
            + " B, "
            + (directions == 1 ? "one way" : "both ways")
            + ", "
            + threads
            + " thread(s)";
  }

  /** What perftest measures for it, which knows no threads. */
  Cell ofPerftest() {
    return new Cell(latency, size, directions, 1);
  }
}
