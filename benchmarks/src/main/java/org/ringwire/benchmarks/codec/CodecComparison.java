package org.ringwire.benchmarks.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.Progress;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.Main;
import org.ringwire.tools.OptionValues;
import org.ringwire.tools.bench.measure.Machine;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Output;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures nanoseconds per encode and decode, and bytes, of every codec and message: rounds of all
 * contenders in turn, so that a slow second of the machine hits all of them, and the median of the
 * rounds. With {@code --json} the result is one line of JSON on stdout.
 */
@Command(
    name = "ringwire bench codec",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Nanoseconds per encode and decode, and bytes, of codecs.")
public final class CodecComparison implements Callable<Integer> {
  private static final List<String> CODECS =
      List.of("hand", "generated", "kryo", "fory", "protobuf");
  private static final List<String> MESSAGES = List.of("small", "points");
  private static final int MAX_ROUNDS = 10_000;
  private static final int WARM_UP_ROUNDS = 10;
  private static final long ROUND_NS = 25_000_000;
  private static final long WARM_UP_NS = 80_000_000;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "25",
      description = "rounds of all codecs in turn, whose median counts; default: 25")
  private int rounds;

  @Option(names = "--json", description = "print one line of JSON on standard output, nothing else")
  private boolean json;

  @Spec private @Nullable CommandSpec command;

  private CodecComparison() {}

  /**
   * The figures of one codec and message.
   *
   * @param codec one of hand, generated, kryo, fory, protobuf
   * @param message small or points
   * @param nanos median nanoseconds for encoding and decoding once
   * @param bytes the length of the encoded message
   */
  public record Row(String codec, String message, double nanos, int bytes) {}

  private static final class Contender {
    private final String codec;
    private final String message;
    private final Trip trip;
    private final double[] rounds;
    private int batch = 1;

    Contender(String codec, String message, int rounds) {
      this.rounds = new double[rounds];
      this.codec = codec;
      this.message = message;
      this.trip = Trips.of(codec, message);
    }

    void warmUp() {
      long start = System.nanoTime();
      long trips = 0;
      while (System.nanoTime() - start < WARM_UP_NS) {
        trip.run(100);
        trips += 100;
      }
      batch = (int) Math.max(100, trips * ROUND_NS / WARM_UP_NS);
    }

    void measure(int round) {
      long start = System.nanoTime();
      Object last = trip.run(batch);
      rounds[round] = (System.nanoTime() - start) / (double) batch;
      if (last.hashCode() == 0) {
        throw new IllegalStateException("a message was lost: " + codec);
      }
    }

    Row row() {
      return new Row(codec, message, Numbers.median(rounds), trip.bytes());
    }
  }

  /**
   * Runs the comparison, some 15 seconds for 25 rounds.
   *
   * @param rounds whose median counts; fewer than 10 also shorten the warm-up
   * @param progress is told of each round
   * @return a row for each codec and message
   */
  public static List<Row> run(int rounds, Progress progress) {
    List<Contender> contenders = new ArrayList<>();
    for (String message : MESSAGES) {
      for (String codec : CODECS) {
        Contender contender = new Contender(codec, message, rounds);
        verify(contender);
        contenders.add(contender);
      }
    }
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
    return contenders.stream().map(Contender::row).toList();
  }

  private static void verify(Contender contender) {
    Object example = contender.message.equals("small") ? Small.example() : Points.example();
    if (!contender.trip.once().equals(example)) {
      throw new IllegalStateException(
          "copy differs: codec=" + contender.codec + " message=" + contender.message);
    }
  }

  /**
   * Runs the comparison and prints it. Exit status: 0, 1 if it has failed, or 2 for a command line
   * that is wrong.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    Output.open();
    ErrorLine errors = new ErrorLine(ExitStatus.NOT_VERIFIED);
    CommandLine line =
        OptionValues.checkedBy(new CommandLine(new CodecComparison()))
            .setUsageHelpAutoWidth(true)
            .setParameterExceptionHandler(errors)
            .setExecutionExceptionHandler(errors);
    System.exit(Output.checked("ringwire bench codec", Main.run(line, words)));
  }

  @Override
  public Integer call() {
    CommandLine line = Objects.requireNonNull(command).commandLine();
    if (rounds < 1 || rounds > MAX_ROUNDS) {
      throw new ParameterException(
          line, "--rounds must be in 1.." + MAX_ROUNDS + ", not " + rounds);
    }
    List<Row> rows = run(rounds, new Progress(line.getErr()));
    line.getOut().println(json ? toJson(rows) : toTable(rows));
    line.getOut().flush();
    return 0;
  }

  private static String toJson(List<Row> rows) {
    List<String> objects = new ArrayList<>();
    for (Row row : rows) {
      objects.add(
          String.format(
              Locale.ROOT,
              "{\"codec\":\"%s\",\"message\":\"%s\",\"nanos\":%.2f,\"bytes\":%d}",
              row.codec(),
              row.message(),
              row.nanos(),
              row.bytes()));
    }
    return String.format(
        Locale.ROOT,
        "{\"benchmark\":\"codec\",\"results\":[%s],\"java\":\"%s\",\"kernel\":\"%s\",\"cpus\":%d}",
        String.join(",", objects),
        Runtime.version(),
        Machine.kernel(),
        Runtime.getRuntime().availableProcessors());
  }

  private static String toTable(List<Row> rows) {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format("%-8s %-10s %12s %8s%n", "message", "codec", "ns per trip", "bytes"));
    for (Row row : rows) {
      table.append(
          String.format(
              Locale.ROOT,
              "%-8s %-10s %12.1f %8d%n",
              row.message(),
              row.codec(),
              row.nanos(),
              row.bytes()));
    }
    return table.toString();
  }
}
