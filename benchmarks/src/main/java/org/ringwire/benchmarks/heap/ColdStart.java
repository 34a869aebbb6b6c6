package org.ringwire.benchmarks.heap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.Progress;
import org.ringwire.benchmarks.runs.Numbers;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures how long the first 100 graphs take in a new JVM, which has compiled nothing yet: a JVM
 * for each serializer in turn, as many times as asked.
 */
@Command(
    name = "ringwire bench heap",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Milliseconds for the first graphs in a new JVM: making the serializer, 1, 100.")
public final class ColdStart implements Callable<Integer> {
  private static final int GRAPHS = 100;
  private static final double NS_PER_MS = 1e6;

  @Option(names = "--shape", paramLabel = "SHAPE", defaultValue = "pairs", description = "as above")
  private String shape = "";

  @Option(
      names = "--elements",
      paramLabel = "N",
      defaultValue = "1024",
      description = "elements of the array or collection; default: 1024")
  private int elements;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "JVMs for each serializer, whose median counts; default: 5")
  private int rounds;

  @Option(names = "--json", description = "print one line of JSON per serializer, nothing else")
  private boolean json;

  @Option(names = "--child", hidden = true, description = "measure this serializer here")
  private @Nullable String child;

  @Spec private @Nullable CommandSpec command;

  private ColdStart() {}

  /**
   * Runs the comparison and prints it. Exit status: 0, or 2 for a command line that is wrong.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    HeapProgram.run(new ColdStart(), words);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = Objects.requireNonNull(command).commandLine();
    Checks.shape(line, shape);
    Checks.range(line, "--elements", elements, Checks.MAX_ELEMENTS);
    Checks.range(line, "--rounds", rounds, Checks.MAX_ROUNDS);
    if (child != null) {
      line.getOut().println(measure(child));
      line.getOut().flush();
      return 0;
    }
    double[][][] all = new double[Serializers.COLD_NAMES.size()][rounds][];
    Progress progress = new Progress(line.getErr());
    for (int round = 0; round < rounds; round++) {
      progress.round(round, rounds);
      for (int i = 0; i < all.length; i++) {
        all[i][round] = measureInNewJvm(Serializers.COLD_NAMES.get(i));
      }
    }
    if (!json) {
      line.getOut().printf("%-15s %10s %10s %10s%n", "ms", "set-up", "1 graph", GRAPHS + " graphs");
    }
    for (int i = 0; i < all.length; i++) {
      line.getOut().println(row(Serializers.COLD_NAMES.get(i), all[i]));
    }
    line.getOut().flush();
    return 0;
  }

  private String row(String name, double[][] runs) {
    return String.format(
        Locale.ROOT,
        json
            ? "{\"benchmark\":\"heap-cold\",\"shape\":\"%4$s\",\"elements\":%5$d,"
                + "\"serializer\":\"%s\",\"setupMillis\":%.2f,\"firstMillis\":%6$.2f,"
                + "\"hundredMillis\":%7$.2f,\"java\":\"%8$s\",\"cpus\":%9$d}"
            : "%-15s %10.2f %10.2f %10.2f",
        json
            ? new Object[] {
              name,
              median(runs, 0),
              median(runs, 1),
              shape,
              elements,
              median(runs, 1),
              median(runs, 2),
              Runtime.version().toString(),
              Runtime.getRuntime().availableProcessors()
            }
            : new Object[] {name, median(runs, 0), median(runs, 1), median(runs, 2)});
  }

  private static double median(double[][] runs, int index) {
    return Numbers.median(Arrays.stream(runs).mapToDouble(run -> run[index]).toArray());
  }

  private String measure(String name) {
    Object graph = Graph.of(shape, elements);
    long startNs = System.nanoTime();
    Serializer serializer = Serializers.cold(name, shape, elements);
    long readyNs = System.nanoTime();
    long firstNs = 0;
    Object copy = graph;
    for (int i = 0; i < GRAPHS; i++) {
      serializer.encode(graph);
      copy = serializer.decode();
      if (i == 0) {
        firstNs = System.nanoTime();
      }
    }
    long endNs = System.nanoTime();
    if (!Graph.isSame(graph, copy)) {
      throw new IllegalStateException("copy differs: serializer=" + name);
    }
    return (readyNs - startNs) + " " + (firstNs - readyNs) + " " + (endNs - readyNs);
  }

  private double[] measureInNewJvm(String name) throws IOException, InterruptedException {
    List<String> words = List.of("--child", name, "--shape", shape, "--elements", "" + elements);
    Process process = OwnJvm.start(ColdStart.class, words);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("a JVM has failed: serializer=" + name);
    }
    OwnJvm.end(process);
    return Arrays.stream(output.trim().split(" ", -1))
        .mapToDouble(text -> Long.parseLong(text) / NS_PER_MS)
        .toArray();
  }
}
