package org.ringwire.benchmarks.heap.figure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Map;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.tools.bench.measure.Machine;

/**
 * One point of a figure.
 *
 * @param figure its name
 * @param shape of the graph
 * @param x what it is drawn over, as its figure says
 * @param serializer the line that it belongs to
 * @param unit what the rounds have
 * @param median of the rounds
 * @param least of them
 * @param most of them
 * @param more further figures by name
 */
record FigureLine(
    String figure,
    String shape,
    int x,
    String serializer,
    String unit,
    double median,
    double least,
    double most,
    Map<String, Double> more) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static FigureLine of(
      String figure,
      String shape,
      int x,
      String serializer,
      String unit,
      double[] rounds,
      Map<String, Double> more) {
    double[] sorted = rounds.clone();
    Arrays.sort(sorted);
    return new FigureLine(
        figure,
        shape,
        x,
        serializer,
        unit,
        Numbers.median(rounds),
        sorted[0],
        sorted[sorted.length - 1],
        more);
  }

  ObjectNode toJson() {
    ObjectNode line = JSON.createObjectNode();
    line.put("benchmark", "heap-figures");
    line.put("figure", figure).put("shape", shape).put("x", x).put("serializer", serializer);
    line.put("unit", unit).put("median", rounded(median));
    line.put("least", rounded(least)).put("most", rounded(most));
    more.forEach((name, value) -> line.put(name, rounded(value)));
    line.put("java", Runtime.version().toString());
    line.put("kernel", Machine.kernel());
    return line.put("cpus", Runtime.getRuntime().availableProcessors());
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
