package org.ringwire.benchmarks.targets;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.runs.Comparison;
import org.ringwire.benchmarks.runs.Figure;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Goal;
import org.ringwire.benchmarks.runs.Target.Program;
import org.ringwire.tools.console.Text;

/**
 * One row for each target, where a {@link Report} has one for each contender: Ringwire beside the
 * best of the others, and which goals are missed.
 */
final class Summary {
  private final List<Comparison> comparisons;

  Summary(List<Comparison> comparisons) {
    this.comparisons = comparisons;
  }

  /**
   * The table, in Markdown.
   *
   * @param conditions one line on machine, rounds and times
   */
  String table(String conditions) {
    List<String> lines = new ArrayList<>();
    lines.add(conditions);
    lines.add("");
    lines.add("| what | unit | Ringwire | best of the others | its figure | ratio | goals met |");
    lines.add("|---|---|---|---|---|---|---|");
    comparisons.forEach(each -> lines.add(row(each)));
    return String.join("\n", lines) + "\n";
  }

  private static String row(Comparison comparison) {
    Target target = comparison.target();
    String best = best(comparison);
    return "| %s | %s | %s | %s | %s | %s | %s |"
        .formatted(
            target.title(),
            target.unit(),
            figures(comparison.figures(target.subject().name())),
            best == null ? "" : best,
            best == null ? "" : figures(comparison.figures(best)),
            best == null ? "" : figures(comparison.ratios(best)),
            goals(comparison));
  }

  private static String figures(List<Double> values) {
    return values.isEmpty() ? "not measured" : Numbers.withSpread(values);
  }

  /** The name of the other contender with the best median, or null if none has one. */
  private static @Nullable String best(Comparison comparison) {
    Comparator<String> byMedian =
        Comparator.comparingDouble(name -> Numbers.median(comparison.figures(name)));
    return comparison.target().others().stream()
        .filter(contender -> contender.program() != Program.RINGWIRE) // itself in another way
        .map(Contender::name)
        .filter(name -> !comparison.figures(name).isEmpty())
        .min(isLessBetter(comparison.target()) ? byMedian : byMedian.reversed())
        .orElse(null);
  }

  private static boolean isLessBetter(Target target) {
    return target.subject().figure() instanceof Figure figure && figure.isLess();
  }

  private static String goals(Comparison comparison) {
    List<Goal> goals = comparison.target().goals();
    List<String> missed =
        goals.stream().map(goal -> missed(comparison, goal)).filter(Objects::nonNull).toList();
    if (goals.isEmpty()) {
      return "";
    }
    if (missed.isEmpty()) {
      return goals.size() == 1 ? "yes" : "all " + goals.size();
    }
    String names = String.join("; ", missed);
    return goals.size() == 1
        ? "**no**: " + names
        : Text.format("**%d of %d**, not %s", goals.size() - missed.size(), goals.size(), names);
  }

  /** What this goal asked for and did not get, or null if it is met. */
  private static @Nullable String missed(Comparison comparison, Goal goal) {
    if (Boolean.TRUE.equals(comparison.isMet(goal))) {
      return null;
    }
    String required = goal.text(comparison.target().unit());
    List<Double> values = comparison.values(goal);
    String got = values.isEmpty() ? "not measured" : Numbers.text(Numbers.median(values));
    return goal.versus() == null
        ? "%s, %s".formatted(got, required)
        : "%s (%s, %s)".formatted(goal.versus(), got, required);
  }
}
