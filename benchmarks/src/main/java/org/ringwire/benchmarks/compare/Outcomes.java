package org.ringwire.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.runs.Cell;
import org.ringwire.benchmarks.runs.Comparison;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.benchmarks.runs.Runs;
import org.ringwire.benchmarks.runs.Target;

/** What became of every system in one cell, all rounds together. */
final class Outcomes {
  private final Cell cell;
  private final Comparison comparison;
  private final Map<String, List<JsonNode>> results = new HashMap<>();
  private final Map<String, String> failures = new HashMap<>();
  private final Map<String, String> skips = new HashMap<>();

  Outcomes(Cell cell, Target target) {
    this.cell = cell;
    comparison = new Comparison(target);
  }

  Cell cell() {
    return cell;
  }

  Comparison comparison() {
    return comparison;
  }

  /** Takes a run of this round. */
  void add(Target.Contender contender, Runs.Run run) {
    comparison.add(contender, run);
    String name = contender.name();
    JsonNode result = run.result();
    if (result != null) {
      results.computeIfAbsent(name, _ -> new ArrayList<>()).add(result);
    } else {
      String reason = String.valueOf(run.error());
      if (run.unusable()) {
        skips.put(name, reason);
      } else {
        failures.put(name, reason);
      }
    }
  }

  /** Why this system does not take part, or null if it does. */
  @Nullable String skipped(String system) {
    return skips.get(system);
  }

  /** Why this system has failed, or null if it has not. */
  @Nullable String failure(String system) {
    return failures.get(system);
  }

  boolean hasFailures() {
    return !failures.isEmpty();
  }

  boolean hasResults() {
    return !results.isEmpty();
  }

  /** Numbers at a place of the results, of the rounds that have one. */
  List<Double> values(String system, String pointer) {
    return values(system, result -> result.at(pointer).asDouble(Double.NaN));
  }

  private List<Double> values(String system, ToDoubleFunction<JsonNode> figure) {
    return results.getOrDefault(system, List.of()).stream()
        .map(figure::applyAsDouble)
        .filter(value -> !Double.isNaN(value))
        .toList();
  }

  /** The median of those, or null if there is none. */
  @Nullable Double median(String system, String pointer) {
    List<Double> values = values(system, pointer);
    return values.isEmpty() ? null : Numbers.median(values);
  }
}
