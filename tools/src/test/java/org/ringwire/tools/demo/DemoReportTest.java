package org.ringwire.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.ringwire.tools.Schemas;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.demo.check.Verification;
import org.ringwire.tools.demo.cluster.Outcome;

/** What is printed of a run, for programs and for people. */
class DemoReportTest {

  private static final int EDGES = 7;

  @Test
  void shouldFitTheSchema() {
    DemoResult result = result();
    String json = JsonLine.of(result);
    assertThat(json).doesNotContain("\n");
    assertThat(Schemas.problems("demo", json)).isEmpty();
    assertThat(Schemas.problems("demo", json.replace("\"verified\":true", "\"verified\":1")))
        .isNotEmpty();
    assertThat(Schemas.problems("demo", json.replace("\"reached\"", "\"found\""))).isNotEmpty();
  }

  @Test
  void shouldPrintTables() {
    StringWriter text = new StringWriter();
    new TextReport(new PrintWriter(text, true)).print(result(), run(), "p.Root");
    List<String> lines = text.toString().lines().toList();
    assertThat(lines)
        .contains(
            "level  classes",
            "    0        1  ########################################",
            "    1        1  ########################################",
            "1,234 of 27,000 classes can be reached from p.Root.",
            "    1  0.500000  p.C0",
            "graph           4.000",
            "search          1.000             2               2",
            "PageRank        2.000             9               5",
            "check           0.500",
            "together        8.000            11               1");
  }

  private static DemoRun run() {
    return new DemoRun(
        new Outcome(
            EDGES,
            new int[] {0, 1, -1},
            new double[] {0.5, 0.25, 0.25},
            2,
            9,
            11,
            0,
            1_000_000_000L,
            2_000_000_000L),
        new Verification(List.of(), 0),
        new Timings(4_000_000_000L, 500_000_000L, 8_000_000_000L));
  }

  private static DemoResult result() {
    List<DemoResult.RankedClass> top = new ArrayList<>();
    IntStream.range(0, 10)
        .forEach(i -> top.add(new DemoResult.RankedClass("p.C" + i, 0.5 / (i + 1))));
    return new DemoResult(27_000, EDGES, 2, 1, 1_234, top, 11, 4, 3.0, true);
  }
}
