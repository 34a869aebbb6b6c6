package org.ringwire.tools.demo;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.ringwire.tools.demo.cluster.Outcome;
import org.ringwire.tools.demo.graph.JdkClasses;
import org.ringwire.tools.demo.worker.SearchState;

/**
 * The line of {@code --json}; {@code docs/schemas/demo.schema.json} describes it.
 *
 * @param vertices classes
 * @param edges references between them
 * @param nodes workers
 * @param levels largest distance from the root
 * @param reached classes that the search reached, the root included
 * @param topRanks the classes with the highest ranks, highest first
 * @param messages records that crossed from node to node
 * @param messagesPerSecond of both phases, barriers included
 * @param seconds duration of both phases, barriers included
 * @param verified whether all of it equals the run in a single process
 */
record DemoResult(
    int vertices,
    long edges,
    int nodes,
    int levels,
    int reached,
    List<RankedClass> topRanks,
    long messages,
    long messagesPerSecond,
    double seconds,
    boolean verified) {

  private static final int TOP = 10;

  /** A class and its rank. */
  record RankedClass(String name, double rank) {}

  static DemoResult of(JdkClasses classes, int nodes, DemoRun run) {
    Outcome outcome = run.outcome();
    IntStream reachedLevels =
        Arrays.stream(outcome.levels()).filter(level -> level != SearchState.UNREACHED);
    int[] reached = reachedLevels.toArray();
    double seconds = outcome.seconds();
    return new DemoResult(
        classes.count(),
        outcome.edges(),
        nodes,
        Arrays.stream(reached).max().orElse(0),
        reached.length,
        top(classes, outcome.ranks()),
        outcome.messages(),
        Math.round(outcome.messages() / seconds),
        seconds,
        run.verification().isGood());
  }

  private static List<RankedClass> top(JdkClasses classes, double[] ranks) {
    return IntStream.range(0, ranks.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer vertex) -> -ranks[vertex]))
        .limit(TOP)
        .map(vertex -> new RankedClass(classes.name(vertex), ranks[vertex]))
        .toList();
  }
}
