package org.ringwire.benchmarks.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.ringwire.benchmarks.runs.Cell;
import org.ringwire.benchmarks.runs.ComparedSystem;
import org.ringwire.benchmarks.runs.RunOptions;
import org.ringwire.benchmarks.runs.Runs;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;

/** Round by round, cell by cell, every system in turn. */
final class CompareRun {
  /** Start of three JVMs or a compiler, and what is still on its way, beyond the measured time. */
  private static final long EXTRA_SECONDS = 120;

  private final List<Outcomes> outcomes;
  private final int rounds;
  private final Runs runs;

  /** Commands that cannot run here are not tried again. */
  private final Map<List<String>, Runs.Run> unusable = new HashMap<>();

  CompareRun(List<ComparedSystem> systems, List<Cell> cells, RunOptions options) {
    outcomes =
        cells.stream()
            .map(cell ->
                new Outcomes(cell, cell.target(systems, options.duration(), options.warmup())))
            .toList();
    rounds = options.rounds();
    runs =
        new Runs(
            null,
            (long) (options.duration() + 3 * options.warmup().longestSeconds()) + EXTRA_SECONDS,
            null,
            options.attempts());
  }

  /**
   * Measures everything.
   *
   * @param lines receives a line of JSON for each run as it ends
   */
  List<Outcomes> measure(Consumer<String> lines) throws InterruptedException {
    for (int round = 1; round <= rounds; round++) {
      for (Outcomes each : outcomes) {
        runs.startRound();
        each.comparison().startRound();
        measure(each, round, lines);
      }
    }
    return outcomes;
  }

  /** The order rotates, so that nobody always runs on the machine that another one has heated. */
  private void measure(Outcomes outcomes, int round, Consumer<String> lines)
      throws InterruptedException {
    Target target = outcomes.comparison().target();
    List<Contender> contenders = new ArrayList<>(target.contenders());
    Collections.rotate(contenders, round - 1);
    for (Contender contender : contenders) {
      Runs.Run run = unusable.get(contender.words());
      if (run == null) {
        System.err.println(
            "round " + round + " of " + rounds + ": " + target.title() + ": " + contender.name());
        run = runs.run(target, contender, round);
        if (run.error() != null) {
          System.err.println("  " + run.error());
        }
        if (run.unusable()) {
          unusable.put(contender.words(), run);
        }
      }
      outcomes.add(contender, run);
      lines.accept(CompareLines.run(outcomes.cell(), contender, round, run));
    }
  }

  String machine() {
    return runs.machine();
  }
}
