package org.ringwire.tools.demo.check;

import java.util.ArrayList;
import java.util.List;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.demo.cluster.Outcome;

/**
 * Compares what the nodes found with what one process finds alone.
 *
 * @param problems what differs, one line each; empty if all is well
 * @param rankDifference largest relative difference of a rank
 */
public record Verification(List<String> problems, double rankDifference) {

  /** Largest relative difference of a rank that rounding in another order may cause. */
  static final double TOLERANCE = 1e-9;

  public Verification {
    problems = List.copyOf(problems);
  }

  /** Whether levels, ranks and message counts are as they must be. */
  public boolean isGood() {
    return problems.isEmpty();
  }

  /**
   * Compares.
   *
   * @param edges edges of the whole graph
   * @param rounds rounds of PageRank
   */
  public static Verification of(Outcome outcome, SingleProcessRun alone, long edges, int rounds) {
    List<String> problems = new ArrayList<>();
    expect(problems, "edges read by the nodes", edges, outcome.edges());
    expect(problems, "search messages sent", alone.searchMessages(), outcome.searchMessages());
    expect(problems, "rank messages sent", alone.roundMessages() * rounds, outcome.rankMessages());
    expect(problems, "messages handled", outcome.messages(), outcome.handledMessages());
    expect(problems, "messages in a wrong phase", 0, outcome.misplacedMessages());
    compareLevels(problems, outcome.levels(), alone.levels());
    double difference = rankDifference(outcome.ranks(), alone.ranks());
    if (!(difference <= TOLERANCE)) { // also if it is not a number
      problems.add(
          Text.format("ranks differ by up to %.2e, allowed are %.0e", difference, TOLERANCE));
    }
    return new Verification(problems, difference);
  }

  private static void expect(List<String> problems, String what, long expected, long actual) {
    if (expected != actual) {
      problems.add(Text.format("%s: expected %,d, but there were %,d", what, expected, actual));
    }
  }

  private static void compareLevels(List<String> problems, int[] actual, int[] expected) {
    int wrong = 0;
    for (int vertex = 0; vertex < expected.length; vertex++) {
      wrong += vertex < actual.length && actual[vertex] == expected[vertex] ? 0 : 1;
    }
    expect(problems, "classes with a wrong level", 0, wrong);
  }

  private static double rankDifference(double[] actual, double[] expected) {
    double largest = 0;
    for (int vertex = 0; vertex < expected.length; vertex++) {
      double difference = Math.abs(actual[vertex] - expected[vertex]) / expected[vertex];
      largest = Math.max(largest, difference); // stays not a number once it is
    }
    return largest;
  }
}
