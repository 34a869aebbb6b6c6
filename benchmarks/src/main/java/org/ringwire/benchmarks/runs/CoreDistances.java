package org.ringwire.benchmarks.runs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far the cores were from each other, before and after each run: a ratio of two runs between
 * which that has changed is about the machine.
 */
final class CoreDistances {
  /** Beyond so many times the shortest it is another distance; near ones differ by two. */
  private static final double OTHER = 3;

  /**
   * Of a run.
   *
   * @param before as {@link CoreDistance#now}
   * @param after likewise
   */
  record Around(double before, double after) {
    /** Null where one of them is. */
    static @Nullable Around of(@Nullable Double before, @Nullable Double after) {
      return before == null || after == null ? null : new Around(before, after);
    }
  }

  private final List<Around> runs = new ArrayList<>();

  void add(@Nullable Around run) {
    if (run != null) {
      runs.add(run);
    }
  }

  /** One line, or nothing where nobody knows. */
  String text() {
    if (runs.isEmpty()) {
      return "";
    }
    List<Double> all = new ArrayList<>();
    runs.forEach(run -> Collections.addAll(all, run.before, run.after));
    double limit = OTHER * Collections.min(all);
    List<Double> near = all.stream().filter(nanos -> nanos <= limit).toList();
    List<Double> far = all.stream().filter(nanos -> nanos > limit).toList();
    if (far.isEmpty()) {
      return " A cache line went from one core to the other and back in "
          + Numbers.withSpread(near)
          + " ns.";
    }
    long nearRuns = runs.stream().filter(run -> Math.max(run.before, run.after) <= limit).count();
    long farRuns = runs.stream().filter(run -> Math.min(run.before, run.after) > limit).count();
    return String.format(
        Locale.ROOT,
        " **The distance of the two cores changed meanwhile**: a cache line went there and back in"
            + " %s ns before and after %d runs, in %s ns before and after %d, and it was one before"
            + " and the other after %d.",
        Numbers.withSpread(near),
        nearRuns,
        Numbers.withSpread(far),
        farRuns,
        runs.size() - nearRuns - farRuns);
  }
}
