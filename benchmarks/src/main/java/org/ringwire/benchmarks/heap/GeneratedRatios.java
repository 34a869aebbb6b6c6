package org.ringwire.benchmarks.heap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.Progress;
import org.ringwire.benchmarks.runs.Numbers;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures how many times as long as this project's images Kryo takes for points and pairs, and for
 * classes that are generated now, so that nothing can be made for them: half are like points, half
 * like pairs. Each of them is measured in turns with the class that it is like: how many times less
 * its ratio is, and how many times as long its images take; those may differ, since Kryo takes less
 * for some types of fields than for others.
 */
@Command(
    name = "ringwire bench heap",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Kryo over images, for points and pairs and for classes that are generated now.",
      "Each class is measured in turns with the one that it is like. Ratio loss: how many times"
          + " less its ratio is; time ratio: how many times as long its images take; the largest"
          + " of all classes."
    })
public final class GeneratedRatios implements Callable<Integer> {
  private static final int MAX_CLASSES = 1000;
  private static final int KINDS = 2;
  private static final long WARM_UP_NS = 1_500_000_000;

  @Option(
      names = "--generated",
      paramLabel = "N",
      defaultValue = "50",
      description = "classes that are generated, half of each kind; default: 50")
  private int classes;

  @Option(
      names = "--elements",
      paramLabel = "N",
      defaultValue = "1024",
      description = "elements of the arrays; default: 1024")
  private int elements;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "25",
      description = "rounds of both serializers in turn, the least of which counts; default: 25")
  private int rounds;

  @Option(names = "--json", description = "print one line of JSON per kind, nothing else")
  private boolean json;

  @Spec private @Nullable CommandSpec command;

  private GeneratedRatios() {}

  /**
   * Runs the comparison and prints it. Exit status: 0, or 2 for a command line that is wrong.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    HeapProgram.run(new GeneratedRatios(), words);
  }

  @Override
  public Integer call() {
    CommandLine line = Objects.requireNonNull(command).commandLine();
    Checks.range(line, "--generated", classes, MAX_CLASSES);
    if (classes % KINDS != 0) {
      throw new ParameterException(
          line, "--generated must be even, half of each kind, not " + classes);
    }
    Checks.range(line, "--elements", elements, Checks.MAX_ELEMENTS);
    Checks.range(line, "--rounds", rounds, Checks.MAX_ROUNDS);
    if (!json) {
      line.getOut()
          .printf(
              "%-8s %10s %10s %10s %10s %10s  %s%n",
              "kind", "given", "generated", "least", "ratio loss", "time ratio", "fields of least");
    }
    for (boolean isPair : new boolean[] {false, true}) {
      line.getOut().println(measure(isPair, new Progress(line.getErr())));
      line.getOut().flush();
    }
    return 0;
  }

  private String measure(boolean isPair, Progress progress) {
    String kind = isPair ? "pairs" : "points";
    progress.say(kind + ": warming up the class that was there when this was built");
    GraphTrip given = new GraphTrip(kind, elements, warmUpNs());
    List<GeneratedResult> results = new ArrayList<>();
    int count = classes / KINDS;
    for (int i = 0; i < count; i++) {
      progress.say(kind + ": generated class " + (i + 1) + " of " + count);
      results.add(compare(given, GeneratedClass.shape(isPair, i)));
    }
    GeneratedResult least =
        Collections.min(results, Comparator.comparingDouble(GeneratedResult::ratio));
    return String.format(
        Locale.ROOT,
        json
            ? "{\"benchmark\":\"heap-generated\",\"kind\":\"%s\",\"classes\":%d,\"givenRatio\":%.2f,"
                + "\"generatedRatio\":%.2f,\"leastRatio\":%.2f,\"leastFields\":\"%s\","
                + "\"largestRatioLoss\":%.2f,\"largestTimeRatio\":%.2f}"
            : "%1$-8s %3$10.2f %4$10.2f %5$10.2f %7$10.2f %8$10.2f  %6$s",
        kind,
        count,
        median(results, GeneratedResult::givenRatio),
        median(results, GeneratedResult::ratio),
        least.ratio(),
        least.fields(),
        largest(results, GeneratedResult::ratioLoss),
        largest(results, GeneratedResult::timeRatio));
  }

  /**
   * One round with each class and serializer after the other, so that all meet the same machine.
   */
  private GeneratedResult compare(GraphTrip given, String shape) {
    GraphTrip generated = new GraphTrip(shape, elements, warmUpNs());
    given.forget();
    for (int round = 0; round < rounds; round++) {
      given.run();
      generated.run();
    }
    return new GeneratedResult(
        GeneratedClass.fieldsOf(shape),
        given.leastKryo() / given.leastImages(),
        generated.leastKryo() / generated.leastImages(),
        generated.leastImages() / given.leastImages());
  }

  /** None for a test. */
  private long warmUpNs() {
    return rounds < 3 ? 0 : WARM_UP_NS;
  }

  private static double median(
      List<GeneratedResult> results, ToDoubleFunction<GeneratedResult> what) {
    return Numbers.median(results.stream().mapToDouble(what).toArray());
  }

  private static double largest(
      List<GeneratedResult> results, ToDoubleFunction<GeneratedResult> what) {
    return results.stream().mapToDouble(what).max().orElseThrow();
  }
}
