package org.ringwire.benchmarks.heap.figure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.PageFile;
import org.ringwire.benchmarks.Progress;
import org.ringwire.benchmarks.heap.Checks;
import org.ringwire.benchmarks.heap.HeapProgram;
import org.ringwire.benchmarks.heap.OwnJvm;
import org.ringwire.tools.console.Text;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Repeats the figures and tables of the paper on Naos that are about graphs alone. Each figure and
 * shape has a JVM of its own, and what it sends goes to another process over TCP; all ways take
 * turns, so that a slow second hits all of them.
 */
@Command(
    name = "ringwire bench heap",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "The figures and tables of the paper on Naos.")
public final class Figures implements Callable<Integer> {
  private static final int MOST_ELEMENTS = 1 << 20;

  @Option(
      names = "--figure",
      paramLabel = "NAME",
      defaultValue = "latency",
      description = {
        "latency (Figure 7), throughput (8), stages (Table 3), streaming (Figure 9), pipelining",
        "(Figure 10), traversal (Table 2), or all"
      })
  private String figure = "";

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      description =
          "floats, points or pairs, of the array 1-0-0, 1-1-0 and so on; default: those of the"
              + " figure")
  private @Nullable String shape;

  @Option(
      names = "--elements",
      paramLabel = "N",
      defaultValue = "1048576",
      description = "of the longest array; default: 1048576")
  private int elements;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "rounds of all in turn, whose median counts; default: 5")
  private int rounds;

  @Option(names = "--json", description = "print one line of JSON per point, nothing else")
  private boolean json;

  @Option(names = "--html", paramLabel = "FILE", description = "write a page with plots")
  private @Nullable Path html;

  @Option(names = "--child", hidden = true, description = "measure here")
  private boolean isChild;

  @Spec private @Nullable CommandSpec command;

  private Figures() {}

  /**
   * Measures and prints. Exit status: 0, or 2 for a command line that is wrong.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    HeapProgram.run(new Figures(), words);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = Objects.requireNonNull(command).commandLine();
    check(line);
    if (isChild) {
      new FigureRun(figure, Objects.requireNonNull(shape), elements, rounds)
          .measure(point -> {
            line.getOut().println(point.toJson());
            line.getOut().flush();
          });
      return 0;
    }
    try (PageFile page = html == null ? null : openPage(line, html)) {
      measure(line, page);
    }
    return 0;
  }

  private static PageFile openPage(CommandLine line, Path file) {
    try {
      return PageFile.open(file);
    } catch (IOException e) {
      throw new ParameterException(line, "--html: " + e.getMessage());
    }
  }

  private void measure(CommandLine line, @Nullable PageFile file)
      throws IOException, InterruptedException {
    List<JsonNode> points = new ArrayList<>();
    for (String name : figure.equals("all") ? FigureRun.NAMES : List.of(figure)) {
      for (String each : FigureRun.shapesOf(name)) {
        if (shape == null || shape.equals(each)) {
          points.addAll(measureInNewJvm(name, each, line));
        }
      }
    }
    FigurePage page = new FigurePage(points);
    if (!json) {
      line.getOut().print(page.text());
      line.getOut().flush();
    }
    if (file != null) {
      file.write(page.html());
    }
  }

  private void check(CommandLine line) {
    if (!figure.equals("all") && !FigureRun.NAMES.contains(figure)) {
      throw new ParameterException(
          line,
          "--figure must be one of "
              + String.join(", ", FigureRun.NAMES)
              + ", all, not "
              + Text.shown(figure));
    }
    List<String> shapes = figure.equals("all") ? FigureRun.SHAPES : FigureRun.shapesOf(figure);
    if (shape != null && !shapes.contains(shape)) {
      throw new ParameterException(
          line,
          "--shape must be one of " + String.join(", ", shapes) + ", not " + Text.shown(shape));
    }
    Checks.range(line, "--elements", elements, MOST_ELEMENTS);
    Checks.range(line, "--rounds", rounds, Checks.MAX_ROUNDS);
  }

  private List<JsonNode> measureInNewJvm(String name, String each, CommandLine line)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("--child", "--figure", name, "--shape", each));
    words.addAll(List.of("--elements", "" + elements, "--rounds", "" + rounds));
    Process process = OwnJvm.start(Figures.class, words);
    new Progress(line.getErr()).say("figure " + name + ", shape " + each);
    List<JsonNode> points = new ArrayList<>();
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        points.add(new ObjectMapper().readTree(text));
        if (json) {
          line.getOut().println(text);
          line.getOut().flush();
        }
      }
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException("a JVM has failed: figure=" + name + " shape=" + each);
    }
    OwnJvm.end(process);
    return points;
  }
}
