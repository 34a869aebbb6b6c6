package org.ringwire.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.runs.Cell;
import org.ringwire.benchmarks.runs.ComparedSystem;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.benchmarks.runs.Runs;
import org.ringwire.benchmarks.runs.Target.Contender;

/** The lines of {@code --json}; their form is docs/schemas/bench-compare.schema.json. */
final class CompareLines {
  private static final ObjectMapper JSON = new ObjectMapper();

  private CompareLines() {}

  /** One that can take part. */
  static String system(ComparedSystem system) {
    ObjectNode line = JSON.createObjectNode();
    line.put("kind", "system");
    line.put("system", system.name());
    line.put("description", system.description());
    return line.toString();
  }

  /** One system in one round of one cell. */
  static String run(Cell cell, Contender contender, int round, Runs.Run run) {
    ObjectNode line = JSON.createObjectNode();
    line.put("kind", "run");
    line.put("round", round);
    line.put("status", run.result() != null ? "measured" : run.unusable() ? "skipped" : "failed");
    line.put("reason", run.error());
    JsonNode result = run.result();
    for (RecordComponent field : Result.class.getRecordComponents()) {
      line.set(field.getName(), result == null ? null : result.get(field.getName()));
    }
    // In the words of the question: requests of Ringwire are round trips on several threads.
    line.put("benchmark", Cell.word(cell.benchmark()));
    line.put("system", contender.name());
    line.put("payloadBytes", cell.payloadBytes());
    line.put("threads", cell.threads());
    line.put("pinning", Cell.word(cell.pin()));
    line.put("command", Runs.shown(contender));
    return line.toString();
  }

  /** One line per pair of systems. */
  static List<String> summaries(Outcomes outcomes) {
    List<Contender> contenders = outcomes.comparison().target().contenders();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < contenders.size(); i++) {
      for (Contender versus : contenders.subList(i + 1, contenders.size())) {
        lines.add(summary(outcomes, contenders.get(i).name(), versus.name()));
      }
    }
    return lines;
  }

  private static String summary(Outcomes outcomes, String system, String versus) {
    Cell cell = outcomes.cell();
    List<Double> ratios = outcomes.comparison().ratios(system, versus);
    ObjectNode line = JSON.createObjectNode();
    line.put("kind", "summary");
    line.put("benchmark", Cell.word(cell.benchmark()));
    line.put("payloadBytes", cell.payloadBytes());
    line.put("threads", cell.threads());
    line.put("mode", cell.mode() == null ? null : Cell.word(cell.mode()));
    line.put("pinning", Cell.word(cell.pin()));
    line.put("figure", cell.figure().pointer());
    line.put("better", cell.figure().isLess() ? "less" : "more");
    line.put("system", system);
    line.put("versus", versus);
    line.put("rounds", ratios.size());
    line.put("medianRatio", rounded(ratios.isEmpty() ? null : Numbers.median(ratios)));
    line.put("smallestRatio", rounded(ratios.isEmpty() ? null : Collections.min(ratios)));
    line.put("largestRatio", rounded(ratios.isEmpty() ? null : Collections.max(ratios)));
    return line.toString();
  }

  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null ? null : Math.round(value * 1e4) / 1e4;
  }
}
