package org.ringwire.benchmarks.verbs;

import java.util.ArrayList;
import java.util.List;

/** What the rounds have given for a cell. One thread. */
final class CellOutcome {

  private final Cell cell;
  private final String engine;
  private final boolean ofDatagrams;
  private final List<Double> ringwire = new ArrayList<>();
  private final List<Double> perftest = new ArrayList<>();
  private final List<Double> ratios = new ArrayList<>();
  private final List<Double> meanRatios = new ArrayList<>();
  private Verbs verbs = Verbs.NONE;
  private long messages;

  /**
   * Of no rounds.
   *
   * @param engine of Ringwire
   * @param ofDatagrams whether perftest's messages are datagrams
   */
  CellOutcome(Cell cell, String engine, boolean ofDatagrams) {
    this.cell = cell;
    this.engine = engine;
    this.ofDatagrams = ofDatagrams;
  }

  /** A round: both were measured one after the other. */
  void add(VerbsMain.Figures own, VerbsMain.Figures other, Pair.Result result) {
    ringwire.add(own.median());
    perftest.add(other.median());
    ratios.add(own.median() / other.median());
    meanRatios.add(own.mean() / other.mean());
    verbs = verbs.plus(result.verbs());
    messages += result.messages();
  }

  Cell cell() {
    return cell;
  }

  /** What perftest may give; 0 if nobody knows yet. */
  double guess() {
    return perftest.isEmpty() ? 0 : perftest.getLast();
  }

  /**
   * As a line of JSON.
   *
   * @param benchmark {@code stream}: messages per second; {@code pingpong}: microseconds of a round
   *     trip, the median of a round
   * @param engine of Ringwire, msgrc or msgud
   * @param perftestConnection RC, or UD: perftest sent datagrams
   * @param ratio Ringwire's figure by that of perftest in the same round
   * @param ratioOfMeans the same of the means of round trips
   * @param callsPerMessage calls of the verbs of both processes; a round trip counts as one message
   * @param postsPerMessage of those, calls that post send requests
   * @param requestsPerMessage send requests
   * @param pollsPerMessage polls for completions
   * @param notificationsPerMessage events asked for
   * @param callsPerKilobyte calls per 1000 bytes that went over queue pairs
   * @param bytesPerMessage bytes that went over queue pairs
   */
  record Line(
      String benchmark,
      int size,
      int directions,
      int threads,
      long messages,
      String engine,
      String perftestConnection,
      Spread ringwire,
      Spread perftest,
      Spread ratio,
      Spread ratioOfMeans,
      double callsPerMessage,
      double postsPerMessage,
      double requestsPerMessage,
      double pollsPerMessage,
      double notificationsPerMessage,
      double callsPerKilobyte,
      double bytesPerMessage) {}

  /** Of all rounds. */
  record Spread(double median, double least, double most) {

    static Spread of(List<Double> values) {
      List<Double> sorted = values.stream().sorted().toList();
      int middle = sorted.size() / 2;
      double median =
          sorted.size() % 2 == 1
              ? sorted.get(middle)
              : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
      return new Spread(median, sorted.getFirst(), sorted.getLast());
    }
  }

  Line line() {
    double each = Math.max(1, messages);
    return new Line(
        cell.latency() ? "pingpong" : "stream",
        cell.size(),
        cell.directions(),
        cell.threads(),
        messages,
        engine,
        ofDatagrams ? "UD" : "RC",
        Spread.of(ringwire),
        Spread.of(perftest),
        Spread.of(ratios),
        Spread.of(meanRatios),
        verbs.calls() / each,
        verbs.posts() / each,
        verbs.requests() / each,
        verbs.polls() / each,
        verbs.notifications() / each,
        verbs.calls() * 1000.0 / Math.max(1, verbs.bytes()),
        verbs.bytes() / each);
  }
}
