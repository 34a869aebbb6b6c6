package org.ringwire.benchmarks.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.runs.Cell;
import org.ringwire.benchmarks.runs.Target.Contender;

/**
 * What the page plots: {@code title}, {@code type} (line or bar), {@code x} and {@code y} (names of
 * the axes), {@code labels} along x, and {@code series}, each a {@code name} and its {@code
 * values}.
 */
final class Charts {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> PERCENTILES = List.of("p50", "p90", "p99", "p999", "max");

  private Charts() {}

  static List<ObjectNode> of(List<Outcomes> outcomes) {
    return Stream.of(
            bySize(outcomes, "payload, bytes", Cell::payloadBytes, Charts::withoutPayload),
            bySize(outcomes, "threads", Cell::threads, Charts::withoutThreads),
            percentiles(outcomes),
            List.of(
                bars(outcomes, "Throughput", "messages/s", "/messagesPerSecond"),
                bars(
                    outcomes,
                    "Processor time of both processes",
                    "cpu s per million messages",
                    "/cpuSecondsPerMillionMessages")))
        .flatMap(List::stream)
        .toList();
  }

  /** One chart for all cells that differ in the size alone; none where there is one size. */
  private static List<ObjectNode> bySize(
      List<Outcomes> outcomes, String axis, ToIntFunction<Cell> size, Function<Cell, Cell> rest) {
    Map<Cell, List<Outcomes>> groups = new LinkedHashMap<>();
    for (Outcomes each : outcomes) {
      groups.computeIfAbsent(rest.apply(each.cell()), _ -> new ArrayList<>()).add(each);
    }
    List<ObjectNode> charts = new ArrayList<>();
    groups.values().stream()
        .filter(group -> group.size() > 1)
        .forEach(group -> charts.addAll(charts(group, axis, size)));
    return charts;
  }

  private static List<ObjectNode> charts(
      List<Outcomes> group, String axis, ToIntFunction<Cell> size) {
    List<String> labels =
        group.stream().map(each -> Integer.toString(size.applyAsInt(each.cell()))).toList();
    List<ObjectNode> charts = new ArrayList<>();
    if (group.getFirst().cell().benchmark() == Cell.Benchmark.STREAM) {
      ObjectNode bytes = chart(group, " by " + axis, "line", axis, "MB/s of payload", labels);
      addSeries(bytes, group, (each, name) -> scaled(each, name, "/payloadBytesPerSecond", 1e-6));
      charts.add(bytes);
    }
    ObjectNode messages = chart(group, " by " + axis, "line", axis, "messages/s", labels);
    addSeries(messages, group, (each, name) -> each.median(name, "/messagesPerSecond"));
    charts.add(messages);
    if (group.getFirst().cell().benchmark() != Cell.Benchmark.STREAM) {
      for (String percentile : List.of("p50", "p99")) {
        ObjectNode times = chart(group, " by " + axis, "line", axis, percentile + ", us", labels);
        addSeries(times, group, (each, name) -> each.median(name, "/rttMicros/" + percentile));
        charts.add(times);
      }
    }
    ObjectNode cpu = chart(group, " by " + axis, "line", axis, "cpu s per million", labels);
    addSeries(cpu, group, (each, name) -> each.median(name, "/cpuSecondsPerMillionMessages"));
    charts.add(cpu);
    return charts;
  }

  private static List<ObjectNode> percentiles(List<Outcomes> outcomes) {
    List<ObjectNode> charts = new ArrayList<>();
    for (Outcomes each : outcomes) {
      if (each.cell().benchmark() != Cell.Benchmark.STREAM) {
        ObjectNode chart = chart(List.of(each), "", "line", "percentile", "us", PERCENTILES);
        for (Contender contender : each.comparison().target().contenders()) {
          ArrayNode values = series(chart, contender.name());
          PERCENTILES.forEach(
              name -> values.add(each.median(contender.name(), "/rttMicros/" + name)));
        }
        charts.add(chart);
      }
    }
    return charts;
  }

  /** All cells side by side. */
  private static ObjectNode bars(
      List<Outcomes> outcomes, String title, String unit, String pointer) {
    List<String> labels = outcomes.stream().map(each -> each.cell().title()).toList();
    ObjectNode chart = chart(outcomes, "", "bar", "", unit, labels);
    chart.put("title", title);
    addSeries(chart, outcomes, (each, name) -> each.median(name, pointer));
    return chart;
  }

  /** A figure of a system in a cell. */
  private interface Value {
    @Nullable Double of(Outcomes outcomes, String system);
  }

  private static @Nullable Double scaled(
      Outcomes outcomes, String system, String pointer, double scale) {
    Double median = outcomes.median(system, pointer);
    return median == null ? null : median * scale;
  }

  private static ObjectNode chart(
      List<Outcomes> cells, String suffix, String type, String x, String y, List<String> labels) {
    ObjectNode chart = JSON.createObjectNode();
    chart.put("title", suffix.isEmpty() ? cells.getFirst().cell().title() : common(cells) + suffix);
    chart.put("type", type);
    chart.put("x", x);
    chart.put("y", y);
    chart.set("labels", JSON.valueToTree(labels));
    chart.putArray("series");
    return chart;
  }

  /** What the titles of all have in common, part by part. */
  private static String common(List<Outcomes> cells) {
    List<String> parts = new ArrayList<>(List.of(cells.getFirst().cell().title().split(", ", -1)));
    for (Outcomes each : cells) {
      parts.retainAll(List.of(each.cell().title().split(", ", -1)));
    }
    return String.join(", ", parts);
  }

  private static void addSeries(ObjectNode chart, List<Outcomes> cells, Value value) {
    for (Contender contender : cells.getFirst().comparison().target().contenders()) {
      ArrayNode values = series(chart, contender.name());
      cells.forEach(each -> values.add(value.of(each, contender.name())));
    }
  }

  private static ArrayNode series(ObjectNode chart, String name) {
    ObjectNode series = ((ArrayNode) chart.required("series")).addObject();
    series.put("name", name);
    return series.putArray("values");
  }

  private static Cell withoutPayload(Cell cell) {
    return new Cell(
        cell.benchmark(), 0, cell.threads(), cell.mode(), cell.pin(), cell.messagesPerFlush());
  }

  private static Cell withoutThreads(Cell cell) {
    return new Cell(
        cell.benchmark(), cell.payloadBytes(), 1, cell.mode(), cell.pin(), cell.messagesPerFlush());
  }
}
