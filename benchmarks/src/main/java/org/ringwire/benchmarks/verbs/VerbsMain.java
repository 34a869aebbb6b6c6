package org.ringwire.benchmarks.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.Main;
import org.ringwire.tools.OptionValues;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.bench.measure.WarmUp;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.Output;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.options.Range;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Ringwire over InfiniBand and perftest in turns, round by round, two processes each, on one device
 * of this machine.
 *
 * <p>Exit status: 0 good, 1 messages were lost or bytes went another way than over queue pairs, 2
 * usage or environment.
 */
@Command(
    name = VerbsMain.NAME,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Ringwire over ib and perftest (ib_send_bw, ib_send_lat) in turns on an RDMA device here.",
      "infiniband/rdma-vm/bench.sh runs it in a virtual machine with a soft device."
    })
public final class VerbsMain implements Callable<Integer> {

  static final String NAME = "ringwire bench verbs";
  private static final int MAX_SIZE = 1 << 26;
  private static final int MAX_PORT = 255;
  private static final String MSGRC = "msgrc";
  private static final String MSGUD = "msgud";

  @Option(names = "--device", description = "default: the first one", defaultValue = "")
  private String device = "";

  @Option(names = "--port", description = "of the device; default: 1", defaultValue = "1")
  private int port = 1;

  @Option(
      names = "--sizes",
      split = ",",
      description = "bytes of a message, 0 for no streams; default: ${DEFAULT-VALUE}",
      defaultValue = "1,64,1024,4096,16384,65536,262144,1048576")
  private List<Integer> sizes = List.of();

  @Option(names = "--threads", split = ",", description = "default: 1,4", defaultValue = "1,4")
  private List<Integer> threads = List.of();

  @Option(
      names = "--directions",
      split = ",",
      description = "1: one way, 2: both ways at once; default: 1,2",
      defaultValue = "1,2")
  private List<Integer> directions = List.of();

  @Option(
      names = "--latency",
      split = ",",
      description = "bytes of round trips, 0 for none; default: 64,1024,65536",
      defaultValue = "64,1024,65536")
  private List<Integer> latencies = List.of();

  @Option(names = "--rounds", description = "default: 3", defaultValue = "3")
  private int rounds = 3;

  @Option(
      names = "--duration",
      description = "seconds of a measurement, a whole number; default: 2",
      defaultValue = "2")
  private int duration = 2;

  @Option(
      names = "--warmup",
      description = {
        "seconds of each of Ringwire's measurements before the first round, or from A..B",
        "until the compilers of its processes rest; default: 3"
      },
      converter = WarmUp.Converter.class,
      defaultValue = "3")
  private WarmUp warmup = WarmUp.of(3);

  @Option(
      names = "--engine",
      description = {
        "of Ringwire: msgrc (default), or msgud; then perftest sends datagrams, too (-c UD),",
        "but for messages longer than the MTU, which it cannot"
      },
      defaultValue = MSGRC)
  private String engine = MSGRC;

  @Option(
      names = "--mode",
      description = "how Ringwire's threads wait: adaptive (default), spin or park",
      defaultValue = "adaptive")
  private String mode = "adaptive";

  @Option(
      names = "--vm-options",
      split = " ",
      description = "of Ringwire's virtual machines",
      defaultValue = "")
  private List<String> vmOptions = List.of();

  @Option(names = "--json", description = "print a line of JSON per row, in place of the table")
  private boolean json;

  private VerbsMain() {}

  /**
   * Parses the words, measures, prints, exits.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    Output.open();
    ErrorLine errors = new ErrorLine(ExitStatus.NOT_VERIFIED);
    CommandLine line =
        OptionValues.checkedBy(new CommandLine(new VerbsMain()))
            .setUsageHelpAutoWidth(true)
            .setParameterExceptionHandler(errors)
            .setExecutionExceptionHandler(errors);
    System.exit(Output.checked(NAME, Main.run(line, words)));
  }

  @Override
  public Integer call() throws InterruptedException {
    check();
    Perftest.require();
    String name = Port.device(device);
    Perftest perftest = perftest(name);
    List<CellOutcome> outcomes =
        cells().stream()
            .map(cell -> new CellOutcome(cell, engine, perftest.sendsDatagrams(cell.size())))
            .toList();
    try (Pair pair = Pair.start("ib", mode, vmOptions(name))) {
      for (CellOutcome outcome : outcomes) {
        System.err.println("warming up: " + outcome.cell().title());
        double took =
            warmup.run(seconds -> {
              measure(pair, outcome.cell(), seconds);
              return pair.compilerMillis();
            });
        System.err.printf(Locale.ROOT, "  for %.1f s%n", took);
      }
      pair.checkBytes(engine.equals(MSGRC));
      for (int round = 1; round <= rounds; round++) {
        for (CellOutcome outcome : outcomes) {
          System.err.println("round " + round + ": " + outcome.cell().title());
          measure(pair, perftest, outcome, round % 2 == 0);
        }
      }
      pair.checkBytes(engine.equals(MSGRC));
    }
    List<CellOutcome.Line> lines = outcomes.stream().map(CellOutcome::line).toList();
    if (json) {
      lines.forEach(line -> System.out.println(JsonLine.of(line)));
    } else {
      System.out.print(Report.of(lines));
    }
    return 0;
  }

  private Perftest perftest(String name) throws InterruptedException {
    Perftest connected = new Perftest(name, port, Port.gid(name, port), 0);
    return engine.equals(MSGUD) ? connected.withDatagrams() : connected;
  }

  private void check() {
    sizes.forEach(size -> Range.check("--sizes", size, 0, MAX_SIZE));
    latencies.forEach(size -> Range.check("--latency", size, 0, MAX_SIZE));
    threads.forEach(count -> Range.check("--threads", count, 1, 1024));
    directions.forEach(count -> Range.check("--directions", count, 1, 2));
    Range.check("--port", port, 1, MAX_PORT);
    Range.check("--rounds", rounds, 1, 1000);
    Range.check("--duration", duration, 1, 3600);
    warmup.check("--warmup", 3600);
    oneOf("--engine", engine, MSGRC, MSGUD);
    oneOf("--mode", mode, "adaptive", "spin", "park");
  }

  private static void oneOf(String option, String value, String... words) {
    if (!List.of(words).contains(value)) {
      throw new CommandException(
          option + " takes " + String.join("|", words) + ", not " + Text.shown(value));
    }
  }

  private List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    latencies.stream()
        .filter(size -> size > 0)
        .forEach(size -> cells.add(new Cell(true, size, 1, 1)));
    for (int size : sizes.stream().filter(bytes -> bytes > 0).toList()) {
      for (int ways : directions) {
        threads.forEach(count -> cells.add(new Cell(false, size, ways, count)));
      }
    }
    return cells;
  }

  private List<String> vmOptions(String name) {
    List<String> options = new ArrayList<>(List.of("-XX:+UseSerialGC", "-Xmx512m"));
    options.add("-Dringwire.ib.device=" + name);
    options.add("-Dringwire.ib.port=" + port);
    options.add("-Dringwire.ib.engine=" + engine);
    vmOptions.stream().filter(option -> !option.isBlank()).forEach(options::add);
    return options;
  }

  private static Pair.Result measure(Pair pair, Cell cell, double seconds) {
    return cell.latency() ? pair.echo(cell, seconds) : pair.stream(cell, seconds);
  }

  /** Both, one after the other; who is first changes from round to round. */
  private void measure(Pair pair, Perftest perftest, CellOutcome outcome, boolean perftestFirst)
      throws InterruptedException {
    Cell cell = outcome.cell();
    @Nullable Figures other = perftestFirst ? measure(perftest, outcome) : null;
    Pair.Result result = measure(pair, cell, duration);
    if (other == null) {
      other = measure(perftest, outcome);
    }
    RttMicros micros = result.micros();
    Figures own =
        micros == null
            ? new Figures(result.perSecond(), result.perSecond())
            : new Figures(micros.p50(), micros.mean());
    outcome.add(own, other, result);
    System.err.printf("  %s, perftest %s%n", own, other);
  }

  private Figures measure(Perftest perftest, CellOutcome outcome) throws InterruptedException {
    Cell cell = outcome.cell();
    if (cell.latency()) {
      Perftest.RoundTrip trip = perftest.roundTrip(cell);
      return new Figures(trip.median(), trip.mean());
    }
    double guess = outcome.guess();
    if (guess == 0) { // the first time, to know how many take how long
      guess = perftest.messagesPerSecond(cell, 0, 0);
    }
    double rate = perftest.messagesPerSecond(cell, guess, duration);
    return new Figures(rate, rate);
  }

  /**
   * Messages per second, or microseconds of round trips.
   *
   * @param median of round trips; else the rate
   * @param mean of round trips; else the rate
   */
  record Figures(double median, double mean) {}
}
