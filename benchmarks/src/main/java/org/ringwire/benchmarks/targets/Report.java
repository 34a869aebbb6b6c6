package org.ringwire.benchmarks.targets;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.runs.Comparison;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.benchmarks.runs.Runs;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Goal;

/** The table that goes into the documentation, and the same as JSON lines. */
final class Report {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<Comparison> comparisons;

  Report(List<Comparison> comparisons) {
    this.comparisons = comparisons;
  }

  /**
   * @param conditions one line on machine, rounds and times
   */
  String table(String conditions) {
    List<String> lines = new ArrayList<>();
    lines.add(conditions);
    lines.add("");
    lines.add("| what | unit | Ringwire | compared with | its figure | ratio | target | met |");
    lines.add("|---|---|---|---|---|---|---|---|");
    for (Comparison comparison : comparisons) {
      addRows(lines, comparison);
    }
    addErrors(lines);
    return String.join("\n", lines) + "\n";
  }

  /** The commands that gave the table, in the same language. */
  String commands() {
    List<String> lines = new ArrayList<>(List.of("", "Commands:", ""));
    Set<String> commands = new LinkedHashSet<>();
    for (Comparison comparison : comparisons) {
      comparison.target().contenders().forEach(each -> commands.add(Runs.shown(each)));
    }
    commands.forEach(command -> lines.add("    " + command));
    return String.join("\n", lines) + "\n";
  }

  private static void addRows(List<String> lines, Comparison comparison) {
    Target target = comparison.target();
    for (Goal goal : target.goals()) {
      if (goal.versus() == null) {
        lines.add(row(comparison, null, goal));
      }
    }
    for (Contender other : target.others()) {
      Goal goal =
          target.goals().stream()
              .filter(each -> other.name().equals(each.versus()))
              .findFirst()
              .orElse(null);
      lines.add(row(comparison, other.name(), goal));
    }
  }

  private static String row(Comparison comparison, @Nullable String other, @Nullable Goal goal) {
    Target target = comparison.target();
    return "| %s | %s | %s | %s | %s | %s | %s | %s |"
        .formatted(
            target.title(),
            target.unit(),
            figures(comparison.figures(target.subject().name())),
            other == null ? "" : other,
            other == null ? "" : figures(comparison.figures(other)),
            other == null ? "" : figures(comparison.ratios(other)),
            goal == null ? "" : goal.text(target.unit()),
            goal == null ? "" : verdict(comparison.isMet(goal)));
  }

  private static String figures(List<Double> values) {
    return values.isEmpty() ? "not measured" : Numbers.withSpread(values);
  }

  private static String verdict(@Nullable Boolean met) {
    return met == null ? "not measured" : met ? "yes" : "**no**";
  }

  private void addErrors(List<String> lines) {
    List<String> errors = new ArrayList<>();
    for (Comparison comparison : comparisons) {
      comparison
          .errors()
          .forEach((contender, error) ->
              errors.add("- %s, %s: %s".formatted(comparison.target().id(), contender, error)));
    }
    if (!errors.isEmpty()) {
      lines.add("");
      lines.add("Runs that failed:");
      lines.add("");
      lines.addAll(errors);
    }
  }

  /** One line per goal. */
  List<String> jsonLines() {
    List<String> lines = new ArrayList<>();
    for (Comparison comparison : comparisons) {
      for (Goal goal : comparison.target().goals()) {
        lines.add(jsonLine(comparison, goal).toString());
      }
    }
    return lines;
  }

  private static ObjectNode jsonLine(Comparison comparison, Goal goal) {
    Target target = comparison.target();
    List<Double> values = comparison.values(goal);
    ObjectNode line = JSON.createObjectNode();
    line.put("kind", "goal");
    line.put("target", target.id());
    line.put("versus", goal.versus());
    line.put("unit", goal.versus() == null ? target.unit() : "ratio");
    line.put("required", goal.text(target.unit()));
    line.put("median", values.isEmpty() ? null : Numbers.median(values));
    line.set("values", JSON.valueToTree(values));
    line.put("met", comparison.isMet(goal));
    return line;
  }

  /** Whether every goal was measured and met. */
  boolean isEverythingMet() {
    return comparisons.stream()
        .allMatch(comparison ->
            comparison.errors().isEmpty()
                && comparison.target().goals().stream()
                    .allMatch(goal -> Boolean.TRUE.equals(comparison.isMet(goal))));
  }
}
