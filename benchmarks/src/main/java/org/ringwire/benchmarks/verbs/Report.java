package org.ringwire.benchmarks.verbs;

import java.util.List;
import java.util.Locale;

/** The table for people, in Markdown. */
final class Report {

  private Report() {}

  static String of(List<CellOutcome.Line> lines) {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        | what | Ringwire, %s | perftest | ratio | calls of verbs per message | posts | requests | calls per KB |
        |---|---|---|---|---|---|---|---|
        """
            .formatted(lines.isEmpty() ? "" : lines.getFirst().engine()));
    for (CellOutcome.Line line : lines) {
      text.append(row(line)).append('\n');
    }
    return text.toString();
  }

  private static String row(CellOutcome.Line line) {
    boolean latency = line.benchmark().equals("pingpong");
    String unit = latency ? " us" : " /s";
    return String.format(
        Locale.ROOT,
        "| %s | %s%s | %s%s, %s | %s | %s | %s | %s | %s |",
        new Cell(latency, line.size(), line.directions(), line.threads()).title(),
        spread(line.ringwire()),
        unit,
        spread(line.perftest()),
        unit,
        line.perftestConnection(),
        spread(line.ratio()),
        number(line.callsPerMessage()),
        number(line.postsPerMessage()),
        number(line.requestsPerMessage()),
        number(line.callsPerKilobyte()));
  }

  private static String spread(CellOutcome.Spread spread) {
    return "%s (%s to %s)"
        .formatted(number(spread.median()), number(spread.least()), number(spread.most()));
  }

  /** Three digits are more than emulation can repeat. */
  private static String number(double value) {
    int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
