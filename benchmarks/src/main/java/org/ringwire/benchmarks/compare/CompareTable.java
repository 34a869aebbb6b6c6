package org.ringwire.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.runs.Cell;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;

/**
 * One cell for people.
 *
 * @param title what was measured
 * @param header names of the columns
 * @param rows one per system
 * @param remarks why some have no figures
 */
record CompareTable(
    String title, List<String> header, List<List<String>> rows, List<String> remarks) {

  static CompareTable of(Outcomes outcomes) {
    Cell cell = outcomes.cell();
    Target target = outcomes.comparison().target();
    boolean waits = cell.benchmark() != Cell.Benchmark.STREAM;
    List<String> header = new ArrayList<>();
    header.add("system");
    header.add(target.unit());
    header.add("ratio to " + target.subject().name());
    if (waits) {
      header.add("us, p99");
    }
    header.add("cpu s per million");
    header.add("heap B per message, sent + received");
    List<List<String>> rows = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    for (Contender contender : target.contenders()) {
      String name = contender.name();
      rows.add(row(outcomes, name, waits));
      addRemark(remarks, name, "skipped", outcomes.skipped(name));
      addRemark(remarks, name, "failed", outcomes.failure(name));
    }
    return new CompareTable(target.title(), header, rows, remarks);
  }

  private static void addRemark(
      List<String> remarks, String system, String what, @Nullable String reason) {
    if (reason != null) {
      remarks.add(system + " " + what + ": " + reason);
    }
  }

  private static List<String> row(Outcomes outcomes, String system, boolean waits) {
    List<Double> figures = outcomes.comparison().figures(system);
    List<Double> ratios =
        outcomes.comparison().ratios(system, outcomes.comparison().target().subject().name());
    List<String> row = new ArrayList<>();
    row.add(system);
    row.add(figures.isEmpty() ? state(outcomes, system) : Numbers.withSpread(figures));
    row.add(ratios.isEmpty() ? "" : Numbers.withSpread(ratios));
    if (waits) {
      row.add(text(outcomes.median(system, "/rttMicros/p99")));
    }
    row.add(text(outcomes.median(system, "/cpuSecondsPerMillionMessages")));
    String sender = text(outcomes.median(system, "/allocatedBytesPerMessage/sender"));
    String receiver = text(outcomes.median(system, "/allocatedBytesPerMessage/receiver"));
    row.add(sender.isEmpty() ? "" : sender + " + " + receiver);
    return row;
  }

  private static String state(Outcomes outcomes, String system) {
    return outcomes.skipped(system) != null ? "skipped" : "failed";
  }

  private static String text(@Nullable Double value) {
    return value == null ? "" : Numbers.text(value);
  }

  /** In columns. */
  String text() {
    int[] widths = new int[header.size()];
    List<List<String>> lines = new ArrayList<>(List.of(header));
    lines.addAll(rows);
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder(title).append('\n');
    for (List<String> line : lines) {
      StringBuilder columns = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        columns.append(String.format(Locale.ROOT, "  %-" + widths[i] + "s", line.get(i)));
      }
      text.append(columns.toString().stripTrailing()).append('\n');
    }
    remarks.forEach(remark -> text.append("  ").append(remark).append('\n'));
    return text.toString();
  }
}
