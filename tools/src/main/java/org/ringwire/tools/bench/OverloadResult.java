package org.ringwire.tools.bench;

import java.util.Arrays;
import java.util.List;

/**
 * One line of JSON.
 *
 * @param benchmark {@code overload}
 * @param system what was measured
 * @param transport what connects the two nodes of the process
 * @param payloadBytes length of the content of a message
 * @param handlers threads of the receiver's handler pool
 * @param rounds measurements of each point, in turn with all others
 * @param seconds length of each
 * @param points what was measured
 * @param lost requests without an answer
 * @param duplicated requests that were handled more than once
 * @param java version of the runtime
 * @param kernel name and version of the operating system
 * @param cpus processors that the process could use
 */
record OverloadResult(
    String benchmark,
    String system,
    String transport,
    int payloadBytes,
    int handlers,
    int rounds,
    double seconds,
    List<Point> points,
    long lost,
    long duplicated,
    String java,
    String kernel,
    int cpus) {

  /**
   * What some threads reached that wait in one way.
   *
   * @param waiting how threads wait
   * @param threads that send requests
   * @param roundTripMicros mean time of a round trip
   * @param messagesPerSecond round trips of all threads
   * @param cpuMicrosPerMessage processor time of the process for each
   * @param cpuCores processor time of the process over wall time: 1 is one core
   */
  record Point(
      String waiting,
      int threads,
      Spread roundTripMicros,
      Spread messagesPerSecond,
      Spread cpuMicrosPerMessage,
      Spread cpuCores) {}

  /** Of the rounds. */
  record Spread(double median, double min, double max) {

    static Spread of(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      int middle = sorted.length / 2;
      double median =
          sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
      return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
  }
}
