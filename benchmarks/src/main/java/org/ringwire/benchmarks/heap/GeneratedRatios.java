package org.ringwire.benchmarks.heap;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.Progress;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.console.Output;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures how many times as long as this project's images Kryo takes for points and pairs, and for
 * classes that are generated now, so that nothing can be made for them: half are like points, half
 * like pairs.
 */
@Command(
    name = "ringwire bench heap",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Kryo over images, for points and pairs and for classes that are generated now.")
public final class GeneratedRatios implements Callable<Integer> {
  private static final int MAX_CLASSES = 1000;
  private static final long BATCH_NS = 4_000_000;
  private static final long WARM_UP_NS = 500_000_000;

  @Option(
      names = "--generated",
      paramLabel = "N",
      defaultValue = "50",
      description = "classes that are generated; default: 50")
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
      defaultValue = "9",
      description = "rounds of both serializers in turn, the least of which counts; default: 9")
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
    Output.open();
    CommandLine line = new CommandLine(new GeneratedRatios());
    line.setUsageHelpAutoWidth(true).setParameterExceptionHandler(new ErrorLine());
    System.exit(Output.checked("ringwire bench heap", line.execute(words)));
  }

  @Override
  public Integer call() {
    CommandLine line = Objects.requireNonNull(command).commandLine();
    Checks.range(line, "--generated", classes, MAX_CLASSES);
    Checks.range(line, "--elements", elements, Checks.MAX_ELEMENTS);
    Checks.range(line, "--rounds", rounds, Checks.MAX_ROUNDS);
    if (!json) {
      line.getOut()
          .printf("%-8s %10s %10s %10s%n", "kind", "given", "generated", "least of " + classes);
    }
    for (boolean isPair : new boolean[] {false, true}) {
      line.getOut().println(measure(isPair, new Progress(line.getErr())));
      line.getOut().flush();
    }
    return 0;
  }

  private String measure(boolean isPair, Progress progress) {
    String kind = isPair ? "pairs" : "points";
    progress.say(kind + ": the class that was there when this was built");
    double[] given = {ratio(kind), ratio(kind), ratio(kind)};
    double[] generated = new double[(classes + 1) / 2];
    for (int i = 0; i < generated.length; i++) {
      progress.say(kind + ": generated class " + (i + 1) + " of " + generated.length);
      generated[i] = ratio(GeneratedClass.shape(isPair, i));
    }
    Arrays.sort(given);
    Arrays.sort(generated);
    return String.format(
        Locale.ROOT,
        json
            ? "{\"benchmark\":\"heap-generated\",\"kind\":\"%s\",\"classes\":%d,\"givenRatio\":%.2f,"
                + "\"generatedRatio\":%.2f,\"leastRatio\":%.2f}"
            : "%1$-8s %3$10.2f %4$10.2f %5$10.2f",
        kind,
        generated.length,
        given[1],
        generated[generated.length / 2],
        generated[0]);
  }

  /**
   * Of the times of one graph, encoded and decoded: the least of all rounds, since what others add
   * on a busy machine falls on classes by chance.
   */
  private double ratio(String shape) {
    LongBinaryOperator images = Isolated.contender("ringwire", shape, elements, false, false);
    LongBinaryOperator kryo = Isolated.contender("kryo", shape, elements, false, false);
    double leastImages = Double.MAX_VALUE;
    double leastKryo = Double.MAX_VALUE;
    int imagesBatch = batch(images);
    int kryoBatch = batch(kryo);
    for (int round = 0; round < rounds; round++) {
      leastKryo = Math.min(leastKryo, trip(kryo, kryoBatch));
      leastImages = Math.min(leastImages, trip(images, imagesBatch));
    }
    return leastKryo / leastImages;
  }

  private int batch(LongBinaryOperator contender) {
    long spentNs = 0;
    int batch = 1;
    for (long perBatchNs = 0;
        spentNs < WARM_UP_NS * Math.min(1, rounds / 3);
        spentNs += perBatchNs) {
      perBatchNs = Math.max(1, (long) (trip(contender, batch) * batch));
      batch = Math.clamp(BATCH_NS * batch / perBatchNs, 1, 100_000);
    }
    return batch;
  }

  private static double trip(LongBinaryOperator contender, int batch) {
    return (double)
            (contender.applyAsLong(HeapContender.ENCODE, batch)
                + contender.applyAsLong(HeapContender.DECODE, batch))
        / batch;
  }
}
