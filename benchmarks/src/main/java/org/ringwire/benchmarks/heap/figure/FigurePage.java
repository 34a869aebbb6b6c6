package org.ringwire.benchmarks.heap.figure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.ringwire.benchmarks.compare.HtmlPage;

/** Points of figures as text, and as a page with plots. */
final class FigurePage {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> STAGES =
      List.of("encodeMicros", "sendMicros", "receiveMicros", "decodeMicros", "bytes", "blocks");

  /** By figure and shape. */
  private final Map<String, List<JsonNode>> groups = new LinkedHashMap<>();

  FigurePage(List<JsonNode> points) {
    for (JsonNode point : points) {
      String name = point.required("figure").textValue() + ", " + point.required("shape").asText();
      groups.computeIfAbsent(name, _ -> new ArrayList<>()).add(point);
    }
  }

  /** Tables in columns, with the median, the least and the most of each point. */
  String text() {
    StringBuilder text = new StringBuilder();
    groups.forEach((name, points) -> {
      text.append(name).append(", ").append(unitOf(points)).append('\n');
      for (List<String> row : rows(points)) {
        row.forEach(cell -> text.append(String.format(Locale.ROOT, "%-28s", cell)));
        text.append('\n');
      }
      text.append('\n');
    });
    return text.toString();
  }

  private static String unitOf(List<JsonNode> points) {
    return points.getFirst().required("unit").textValue() + ": median (least to most)";
  }

  private static List<List<String>> rows(List<JsonNode> points) {
    List<List<String>> rows = new ArrayList<>();
    Set<String> names = names(points);
    List<String> stages = STAGES.stream().filter(stage -> points.getFirst().has(stage)).toList();
    if (stages.isEmpty()) {
      List<String> header = new ArrayList<>(List.of(""));
      header.addAll(names);
      rows.add(header);
      byX(points)
          .forEach((x, cells) -> {
            List<String> row = new ArrayList<>(List.of(x));
            names.forEach(name -> row.add(cells.containsKey(name) ? figure(cells.get(name)) : ""));
            rows.add(row);
          });
      return rows;
    }
    List<String> header = new ArrayList<>(List.of("", "in all"));
    header.addAll(stages);
    rows.add(header);
    for (JsonNode point : points) {
      List<String> row = new ArrayList<>();
      row.add(point.required("serializer").textValue());
      row.add(figure(point));
      stages.forEach(stage -> row.add(number(point.required(stage).doubleValue())));
      rows.add(row);
    }
    return rows;
  }

  private static Set<String> names(List<JsonNode> points) {
    Set<String> names = new LinkedHashSet<>();
    points.forEach(point -> names.add(point.required("serializer").textValue()));
    return names;
  }

  private static Map<String, Map<String, JsonNode>> byX(List<JsonNode> points) {
    Map<String, Map<String, JsonNode>> lines = new LinkedHashMap<>();
    for (JsonNode point : points) {
      lines
          .computeIfAbsent(point.required("x").asText(), _ -> new LinkedHashMap<>())
          .put(point.required("serializer").textValue(), point);
    }
    return lines;
  }

  private static String figure(JsonNode point) {
    return number(point.required("median").doubleValue())
        + " ("
        + number(point.required("least").doubleValue())
        + " to "
        + number(point.required("most").doubleValue())
        + ")";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
  }

  /** A page that works without a network. */
  String html() throws IOException {
    List<ObjectNode> charts = new ArrayList<>();
    StringBuilder tables = new StringBuilder();
    groups.forEach((name, points) -> {
      charts.add(chart(name, points));
      tables.append("<h3>").append(name).append(", ").append(unitOf(points)).append("</h3>\n");
      tables.append("<table>\n");
      for (List<String> row : rows(points)) {
        tables.append("<tr><td>").append(String.join("</td><td>", row)).append("</td></tr>\n");
      }
      tables.append("</table>\n");
    });
    return HtmlPage.of(
        "Graphs of objects from process to process",
        "Figures and tables of the paper on Naos over TCP on one machine, all ways in turns.",
        charts,
        tables.toString());
  }

  private static ObjectNode chart(String title, List<JsonNode> points) {
    Map<String, Map<String, JsonNode>> byX = byX(points);
    ObjectNode chart = JSON.createObjectNode();
    chart.put("title", title).put("type", byX.size() > 1 ? "line" : "bar");
    chart.put("x", title.startsWith("pipelining") ? "bytes of a block; 0: none" : "elements");
    chart.put("y", points.getFirst().required("unit").textValue());
    chart.set("labels", JSON.valueToTree(byX.keySet()));
    ArrayNode all = chart.putArray("series");
    for (String name : names(points)) {
      ObjectNode series = all.addObject().put("name", name);
      ArrayNode values = series.putArray("values");
      byX.values()
          .forEach(cells -> {
            if (cells.containsKey(name)) {
              values.add(cells.get(name).required("median").doubleValue());
            } else {
              values.addNull();
            }
          });
    }
    return chart;
  }
}
