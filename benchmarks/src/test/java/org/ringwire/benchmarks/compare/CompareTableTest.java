package org.ringwire.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringwire.benchmarks.runs.Cell;
import org.ringwire.benchmarks.runs.Cell.Benchmark;
import org.ringwire.benchmarks.runs.Cell.Pin;
import org.ringwire.benchmarks.runs.ComparedSystem;
import org.ringwire.benchmarks.runs.Runs.Run;
import org.ringwire.tools.bench.measure.WarmUp;

class CompareTableTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<ComparedSystem> SYSTEMS =
      List.of(
          ComparedSystem.find("ringwire-shm").orElseThrow(),
          ComparedSystem.find("aeron-ipc").orElseThrow());

  private static Outcomes cell(int payloadBytes) {
    Cell cell = new Cell(Benchmark.STREAM, payloadBytes, 1, null, Pin.NONE);
    return new Outcomes(cell, cell.target(SYSTEMS, 1, WarmUp.of(1)));
  }

  private static void round(Outcomes outcomes, Run first, Run second) {
    outcomes.comparison().startRound();
    outcomes.add(outcomes.comparison().target().contenders().get(0), first);
    outcomes.add(outcomes.comparison().target().contenders().get(1), second);
  }

  private static Run measured(double messagesPerSecond) {
    ObjectNode result = JSON.createObjectNode();
    result.put("messagesPerSecond", messagesPerSecond);
    result.put("payloadBytesPerSecond", 64 * messagesPerSecond);
    result.put("cpuSecondsPerMillionMessages", 0.25);
    result.putObject("allocatedBytesPerMessage").put("sender", 0.0).put("receiver", 80.0);
    return new Run(result, null);
  }

  @Test
  void shouldDivideByTheFirstSystemRoundByRound() {
    Outcomes outcomes = cell(64);
    round(outcomes, measured(10e6), measured(20e6));
    round(outcomes, measured(5e6), measured(20e6));
    round(outcomes, measured(8e6), new Run(null, "exit status 1: lost 3"));

    CompareTable table = CompareTable.of(outcomes);

    assertThat(table.rows())
        .containsExactly(
            List.of("ringwire-shm", "8 (5 to 10)", "1 (1 to 1)", "0.25", "0 + 80"),
            List.of("aeron-ipc", "20 (20 to 20)", "3 (2 to 4)", "0.25", "0 + 80"));
    assertThat(table.remarks()).containsExactly("aeron-ipc failed: exit status 1: lost 3");
    assertThat(outcomes.hasFailures()).isTrue();
  }

  @Test
  void shouldPlotOneLinePerSystem() {
    Outcomes small = cell(64);
    round(small, measured(10e6), new Run(null, "exit status 2: not here", true));
    Outcomes large = cell(1024);
    round(large, measured(1e6), measured(2e6));

    JsonNode chart = Charts.of(List.of(small, large)).get(1);

    assertThat(chart.toString())
        .isEqualTo(
            """
            {"title":"stream, 1 thread by payload, bytes","type":"line","x":"payload, bytes",\
            "y":"messages/s","labels":["64","1024"],"series":[\
            {"name":"ringwire-shm","values":[1.0E7,1000000.0]},\
            {"name":"aeron-ipc","values":[null,2000000.0]}]}\
            """);
  }

  @Test
  void shouldPlotBytesOfAStreamInMegabytes() {
    Outcomes small = cell(64);
    round(small, measured(10e6), measured(20e6));
    Outcomes large = cell(1024);
    round(large, measured(1e6), measured(2e6));

    JsonNode chart = Charts.of(List.of(small, large)).getFirst();

    assertThat(chart.required("y").asText()).isEqualTo("MB/s of payload");
    assertThat(chart.at("/series/0/values").toString()).isEqualTo("[640.0,64.0]");
  }

  @Test
  void shouldPlotThePercentilesOfRoundTrips() throws Exception {
    Cell cell = new Cell(Benchmark.PINGPONG, 64, 1, Cell.Mode.PARK, Pin.ONE);
    Outcomes trips = new Outcomes(cell, cell.target(SYSTEMS, 1, WarmUp.of(1)));
    JsonNode times =
        JSON.readTree("{\"rttMicros\":{\"p50\":1,\"p90\":2,\"p99\":3,\"p999\":4,\"max\":5}}");
    round(trips, new Run(times, null), new Run(times, null));

    JsonNode chart = Charts.of(List.of(trips)).getFirst();

    assertThat(chart.required("labels").toString())
        .isEqualTo("[\"p50\",\"p90\",\"p99\",\"p999\",\"max\"]");
    assertThat(chart.at("/series/1/values").toString()).isEqualTo("[1.0,2.0,3.0,4.0,5.0]");
  }

  /** In lines, the second system is divided by: who reads them must know which way round. */
  @Test
  void shouldTellRatiosOfAPairAndWhatIsBetter() throws Exception {
    Outcomes outcomes = cell(64);
    round(outcomes, measured(10e6), measured(20e6));
    round(outcomes, measured(5e6), measured(20e6));

    JsonNode line = JSON.readTree(CompareLines.summaries(outcomes).getFirst());

    assertThat(line.required("system").asText()).isEqualTo("ringwire-shm");
    assertThat(line.required("versus").asText()).isEqualTo("aeron-ipc");
    assertThat(line.required("better").asText()).isEqualTo("more");
    assertThat(line.required("medianRatio").asDouble()).isEqualTo(0.375);
    assertThat(line.required("smallestRatio").asDouble()).isEqualTo(0.25);
    assertThat(line.required("largestRatio").asDouble()).isEqualTo(0.5);
  }

  @Test
  void shouldShowWhatIsSaidOnAPageAsText() throws Exception {
    Outcomes outcomes = cell(64);
    round(outcomes, measured(10e6), new Run(null, "exit status 1: <b>&</script>"));

    String page = HtmlPage.of("a < b", List.of(outcomes), List.of(CompareTable.of(outcomes)));

    assertThat(page)
        .contains("aeron-ipc failed: exit status 1: &lt;b&gt;&amp;&lt;/script&gt;", "a &lt; b")
        .doesNotContain("<b>", "@@");
  }

  @Test
  void shouldPlotThroughputOfASingleCell() {
    Outcomes only = cell(64);
    round(only, measured(10e6), measured(2e6));

    assertThat(Charts.of(List.of(only)))
        .extracting(
            chart -> chart.required("title").asText(), chart -> chart.required("type").asText())
        .containsExactly(
            tuple("Throughput", "bar"), tuple("Processor time of both processes", "bar"));
  }
}
