package org.ringwire.tools.demo;

import java.io.PrintWriter;
import java.util.Arrays;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.demo.cluster.Outcome;

/** The result of a run for people. For one thread. */
final class TextReport {

  private static final int BAR = 40;

  private final PrintWriter out;

  TextReport(PrintWriter out) {
    this.out = out;
  }

  void print(DemoResult result, DemoRun run, String root) {
    levels(run.outcome().levels());
    line(
        Text.format(
            "%,d of %,d classes can be reached from %s.",
            result.reached(), result.vertices(), root));
    line("");
    ranks(result);
    line("");
    phases(run.outcome(), run.timings());
    if (result.verified()) {
      line("");
      line("Verified against a single process: all levels are equal, ranks differ by at most");
      line(
          Text.format(
              "%.0e, and one message was handled per reference that crosses.",
              run.verification().rankDifference()));
    }
  }

  private void levels(int[] levels) {
    int[] counts = new int[Arrays.stream(levels).max().orElse(0) + 1];
    Arrays.stream(levels).filter(level -> level >= 0).forEach(level -> counts[level]++);
    int largest = Arrays.stream(counts).max().orElse(1);
    line("");
    line(Text.format("%5s  %7s", "level", "classes"));
    for (int level = 0; level < counts.length; level++) {
      String bar = "#".repeat((int) Math.ceilDiv((long) counts[level] * BAR, largest));
      line(Text.format("%5d  %,7d  %s", level, counts[level], bar));
    }
  }

  private void ranks(DemoResult result) {
    line(Text.format("%5s  %8s  %s", "place", "rank", "class"));
    int place = 1;
    for (DemoResult.RankedClass ranked : result.topRanks()) {
      line(Text.format("%5d  %.6f  %s", place++, ranked.rank(), ranked.name()));
    }
  }

  private void phases(Outcome outcome, Timings timings) {
    line(Text.format("%-10s  %9s  %12s  %14s", "phase", "seconds", "messages", "messages/s"));
    phase("graph", timings.graphNanos());
    phase("search", outcome.searchNanos(), outcome.searchMessages());
    phase("PageRank", outcome.rankNanos(), outcome.rankMessages());
    phase("check", timings.checkNanos());
    phase("together", timings.totalNanos(), outcome.messages());
  }

  private void phase(String name, long nanos) {
    line(Text.format("%-10s  %9.3f", name, nanos / 1e9));
  }

  private void phase(String name, long nanos, long messages) {
    line(
        Text.format(
            "%-10s  %9.3f  %,12d  %,14d", name, nanos / 1e9, messages, rate(messages, nanos)));
  }

  private static long rate(long messages, long nanos) {
    return Math.round(messages / (nanos / 1e9));
  }

  private void line(String line) {
    out.println(line.stripTrailing());
  }
}
