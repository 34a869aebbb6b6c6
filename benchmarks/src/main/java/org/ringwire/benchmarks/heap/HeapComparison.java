package org.ringwire.benchmarks.heap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.Progress;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.tools.bench.measure.Machine;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures microseconds per encode and decode of a graph, and bytes, of every serializer: rounds of
 * all in turn, so that a slow second of the machine hits all of them, and the median of the rounds
 * (and the least, which others on the machine disturb least). With {@code --json} the result is one
 * line of JSON per serializer on stdout.
 */
@Command(
    name = "ringwire bench heap",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Microseconds per encode and decode of a graph of objects, and bytes.")
public final class HeapComparison implements Callable<Integer> {
  private static final int WARM_UP_ROUNDS = 20;
  private static final long BATCH_NS = 8_000_000;
  private static final long WARM_UP_NS = 60_000_000;
  private static final int MAX_FRESH_ELEMENTS = 1 << 19;

  @Option(
      names = "--shape",
      paramLabel = "SHAPE",
      defaultValue = "points",
      description =
          "floats, points (int, float), pairs (int, char[5]), list (of strings), map (of numbers to"
              + " strings); default: points")
  private String shape = "";

  @Option(
      names = "--elements",
      paramLabel = "N",
      defaultValue = "1024",
      description = "elements of the array or collection; default: 1024")
  private int elements;

  @Option(names = "--cycles", description = "find objects that were seen before")
  private boolean cycles;

  @Option(names = "--fresh", description = "encode each graph once, as soon as it was made")
  private boolean fresh;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "25",
      description = "rounds of all serializers in turn, whose median counts; default: 25")
  private int rounds;

  @Option(names = "--json", description = "print one line of JSON per serializer, nothing else")
  private boolean json;

  @Spec private @Nullable CommandSpec command;

  private HeapComparison() {}

  /** A serializer and its figures so far. */
  private final class Contender {
    private final String name;
    private final LongBinaryOperator trips;
    private final double[] encode = new double[rounds];
    private final double[] decode = new double[rounds];
    private final double[] total = new double[rounds];
    private int encodeBatch = 1;
    private int decodeBatch = 1;

    Contender(String name) {
      this.name = name;
      this.trips = Isolated.contender(name, shape, elements, cycles, fresh);
    }

    void warmUp() {
      encodeBatch = batchFor(HeapContender.ENCODE);
      decodeBatch = batchFor(HeapContender.DECODE);
    }

    private int batchFor(long operation) {
      long spentNs = 0;
      long count = 0;
      int batch = 1;
      while (spentNs < WARM_UP_NS) {
        long tookNs = Math.max(1, trips.applyAsLong(operation, batch));
        spentNs += tookNs;
        count += batch;
        batch = limited(BATCH_NS * batch / tookNs);
      }
      return limited(BATCH_NS * count / spentNs);
    }

    private int limited(long batch) {
      long most = fresh ? Math.max(1, MAX_FRESH_ELEMENTS / elements) : 100_000;
      return (int) Math.clamp(batch, 1, most);
    }

    void measure(int round) {
      encode[round] = trips.applyAsLong(HeapContender.ENCODE, encodeBatch) / 1e3 / encodeBatch;
      decode[round] = trips.applyAsLong(HeapContender.DECODE, decodeBatch) / 1e3 / decodeBatch;
      total[round] = encode[round] + decode[round];
    }

    String toJson() {
      return String.format(
          Locale.ROOT,
          "{\"benchmark\":\"heap\",\"shape\":\"%s\",\"elements\":%d,\"cycles\":%b,\"fresh\":%b,"
              + "\"serializer\":\"%s\",\"encodeMicros\":%.3f,\"decodeMicros\":%.3f,"
              + "\"totalMicros\":%.3f,\"leastMicros\":%.3f,\"bytes\":%d,\"java\":\"%s\",\"kernel\":\"%s\",\"cpus\":%d}",
          shape,
          elements,
          cycles,
          fresh,
          name,
          Numbers.median(encode),
          Numbers.median(decode),
          Numbers.median(total),
          least(encode) + least(decode),
          trips.applyAsLong(HeapContender.LENGTH, 1),
          Runtime.version(),
          Machine.kernel(),
          Runtime.getRuntime().availableProcessors());
    }

    String toRow() {
      return String.format(
          Locale.ROOT,
          "%-12s %12.2f %12.2f %12.2f %12.2f %10d",
          name,
          Numbers.median(encode),
          Numbers.median(decode),
          Numbers.median(total),
          least(encode) + least(decode),
          trips.applyAsLong(HeapContender.LENGTH, 1));
    }
  }

  private static double least(double[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  /**
   * Runs the comparison and prints it. Exit status: 0, or 2 for a command line that is wrong.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    HeapProgram.run(new HeapComparison(), words);
  }

  @Override
  public Integer call() {
    CommandLine line = Objects.requireNonNull(command).commandLine();
    check(line);
    List<Contender> contenders = new ArrayList<>();
    for (String name : Serializers.namesWithBound(shape)) {
      contenders.add(new Contender(name));
    }
    Progress progress = new Progress(line.getErr());
    int warmUps = Math.min(WARM_UP_ROUNDS, rounds);
    for (int round = 0; round < warmUps; round++) {
      progress.warmingUp(round, warmUps);
      contenders.forEach(Contender::warmUp);
    }
    for (int round = 0; round < rounds; round++) {
      progress.round(round, rounds);
      for (Contender contender : contenders) {
        contender.measure(round);
      }
    }
    if (!json) {
      line.getOut()
          .printf(
              "%-12s %12s %12s %12s %12s %10s%n",
              "us", "encode", "decode", "total", "least", "bytes");
    }
    for (Contender contender : contenders) {
      line.getOut().println(json ? contender.toJson() : contender.toRow());
    }
    line.getOut().flush();
    return 0;
  }

  private void check(CommandLine line) {
    Checks.shape(line, shape);
    Checks.range(line, "--elements", elements, Checks.MAX_ELEMENTS);
    Checks.range(line, "--rounds", rounds, Checks.MAX_ROUNDS);
  }
}
