package org.ringwire.tools.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.MessagingException;
import org.ringwire.tools.bench.OverloadResult.Point;
import org.ringwire.tools.bench.OverloadResult.Spread;
import org.ringwire.tools.bench.check.CheckResult;
import org.ringwire.tools.bench.measure.Machine;
import org.ringwire.tools.bench.measure.WarmUp;
import org.ringwire.tools.bench.pair.BenchSpec;
import org.ringwire.tools.bench.pair.Receiver;
import org.ringwire.tools.bench.pair.Sender;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.RunFailedException;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.console.Version;
import org.ringwire.tools.options.Range;
import org.ringwire.tools.options.TransportOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Round trips of more and more threads, by how threads wait: figure 15 of the DXNet paper. */
@Command(
    name = "overload",
    description = {
      "Round trips of more and more threads, by how threads wait: figure 15 of the DXNet paper.",
      "Two nodes in one process. Each round measures every point once, so that what else the"
          + " machine does meets all alike."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
final class OverloadCommand implements Callable<Integer> {

  private static final int MAX_THREADS = 1024;

  /** Ways to wait, by the names of the paper. */
  enum Waiting {
    NEVER(BenchSpec.Wait.NEVER_PARK),
    ALWAYS(BenchSpec.Wait.PARK),
    ADAPTIVE(BenchSpec.Wait.ADAPTIVE);

    private final BenchSpec.Wait mode;

    Waiting(BenchSpec.Wait mode) {
      this.mode = mode;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private @Nullable CommandSpec command;

  @Mixin private TransportOption transport = new TransportOption();

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description = "threads that send requests; default: ${DEFAULT-VALUE}",
      defaultValue = "1,2,4,8,16,32,64,128")
  private List<Integer> threads = List.of();

  @Option(
      names = "--waiting",
      paramLabel = "never|always|adaptive",
      split = ",",
      description = "whether threads park: never, always, or by the load; default: all three",
      defaultValue = "never,always,adaptive")
  private List<Waiting> waiting = List.of();

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      description = "length of the byte array in each message; default: ${DEFAULT-VALUE}",
      defaultValue = "1")
  private int payload;

  @Option(
      names = "--handlers",
      paramLabel = "N",
      description = "threads of the receiver's handler pool; default: ${DEFAULT-VALUE}",
      defaultValue = "2")
  private int handlers;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "measurements of each point; default: ${DEFAULT-VALUE}",
      defaultValue = "3")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "length of each; default: ${DEFAULT-VALUE}",
      defaultValue = "0.5")
  private double seconds;

  @Option(names = "--json", description = "print one line of JSON on standard output, nothing else")
  private boolean json;

  private final Map<Waiting, Map<Integer, List<Sender.Round>>> measured =
      new EnumMap<>(Waiting.class);
  private long lost;
  private long duplicated;

  @Override
  public Integer call() throws InterruptedException {
    String name = transport.checked();
    threads.forEach(count -> Range.check("--threads", count, 1, MAX_THREADS));
    Range.check("--payload", payload, 0, 1 << 20);
    Range.check("--handlers", handlers, 1, MAX_THREADS);
    Range.check("--rounds", rounds, 1, 1000);
    Range.check("--seconds", seconds, 0.01, 3600);
    if (threads.stream().distinct().count() < threads.size()
        || waiting.stream().distinct().count() < waiting.size()) {
      throw new CommandException("--threads and --waiting take each value once");
    }
    var commandLine = Objects.requireNonNull(command).commandLine();
    PrintWriter err = commandLine.getErr();
    for (int round = 0; round <= rounds; round++) {
      for (Waiting each : waiting) {
        err.println(
            (round == 0 ? "warming up: " : "round " + round + " of " + rounds + ": ")
                + each.word());
        err.flush();
        measure(spec(name, each), each, round > 0);
      }
    }
    OverloadResult result = result(name);
    PrintWriter out = commandLine.getOut();
    out.println(json ? JsonLine.of(result) : forPeople(result));
    out.flush();
    if (lost == 0 && duplicated == 0) {
      return ExitStatus.GOOD;
    }
    err.println(Text.format("not verified: lost %d, duplicated %d", lost, duplicated));
    err.flush();
    return ExitStatus.NOT_VERIFIED;
  }

  private BenchSpec spec(String name, Waiting each) {
    return new BenchSpec(
        BenchSpec.Kind.PINGPONG,
        name,
        payload,
        threads.stream().mapToInt(Integer::intValue).max().orElse(1),
        false,
        handlers,
        BenchSpec.Drain.ADAPTIVE,
        Dispatch.Mode.POOLED,
        false,
        each.mode,
        BenchSpec.PayloadKind.HAND,
        seconds,
        WarmUp.of(0),
        0,
        BenchSpec.Corruption.NONE,
        null);
  }

  /** With nodes of its own, since threads that never park would be in the way of the next. */
  private void measure(BenchSpec spec, Waiting each, boolean counts) throws InterruptedException {
    try (Receiver receiver = Receiver.open(spec);
        Sender sender = Sender.open(spec, receiver.address())) {
      measure(sender, each, counts);
    }
  }

  /** Requests that break off meanwhile are no reason to take it for one that cannot run here. */
  private void measure(Sender sender, Waiting each, boolean counts) throws InterruptedException {
    try {
      for (int count : threads) {
        Sender.Round round = sender.round(count, seconds);
        if (counts) {
          measured
              .computeIfAbsent(each, _ -> new TreeMap<>())
              .computeIfAbsent(count, _ -> new ArrayList<>())
              .add(round);
        }
      }
      CheckResult check = sender.check();
      lost += check.lost();
      duplicated += check.duplicated();
    } catch (MessagingException e) {
      throw new RunFailedException(e);
    }
  }

  private OverloadResult result(String name) {
    List<Point> points = new ArrayList<>();
    measured.forEach((each, byThreads) ->
        byThreads.forEach((count, all) -> points.add(point(each.word(), count, all))));
    return new OverloadResult(
        "overload",
        "ringwire",
        name,
        payload,
        handlers,
        rounds,
        seconds,
        points,
        lost,
        duplicated,
        Machine.java(),
        Machine.kernel(),
        Machine.cpus());
  }

  private static Point point(String word, int count, List<Sender.Round> all) {
    return new Point(
        word,
        count,
        spread(all, Sender.Round::meanMicros),
        spread(all, Sender.Round::messagesPerSecond),
        spread(all, Sender.Round::cpuMicrosPerMessage),
        spread(all, Sender.Round::cpuCores));
  }

  private static Spread spread(List<Sender.Round> all, ToDoubleFunction<Sender.Round> value) {
    return Spread.of(all.stream().mapToDouble(value).toArray());
  }

  private static String forPeople(OverloadResult result) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "round trips over %s, %d B, %d handlers, %d cpus; median (min to max) of %d rounds%n",
            result.transport(),
            result.payloadBytes(),
            result.handlers(),
            result.cpus(),
            result.rounds()));
    text.append(
        String.format(
            "  %7s  %-8s  %34s  %12s  %15s  %5s%n",
            "threads", "parks", "round trip in us", "per second", "cpu us each", "cores"));
    result.points().stream()
        .sorted(Comparator.comparingInt(Point::threads))
        .forEach(point -> text.append(line(point)));
    return text.toString().stripTrailing();
  }

  private static String line(Point point) {
    Spread trip = point.roundTripMicros();
    return String.format(
        Locale.ROOT,
        "  %7d  %-8s  %34s  %,12.0f  %15.1f  %5.2f%n",
        point.threads(),
        point.waiting(),
        String.format(Locale.ROOT, "%,.1f (%,.1f to %,.1f)", trip.median(), trip.min(), trip.max()),
        point.messagesPerSecond().median(),
        point.cpuMicrosPerMessage().median(),
        point.cpuCores().median());
  }
}
