package org.ringwire.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.PageFile;
import org.ringwire.benchmarks.WrongWord;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.runs.Cell;
import org.ringwire.benchmarks.runs.Cell.Benchmark;
import org.ringwire.benchmarks.runs.Cell.Mode;
import org.ringwire.benchmarks.runs.Cell.Pin;
import org.ringwire.benchmarks.runs.ComparedSystem;
import org.ringwire.benchmarks.runs.Conditions;
import org.ringwire.benchmarks.runs.RunOptions;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.Main;
import org.ringwire.tools.OptionValues;
import org.ringwire.tools.console.Nearest;
import org.ringwire.tools.console.Output;
import org.ringwire.tools.options.Range;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Compares systems: two processes each, the same object, the same checks, in turns, round by round.
 *
 * <p>Exit status: 0 good, 1 a system has lost messages or died, 2 usage or environment.
 */
@Command(
    name = CompareMain.NAME,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures systems in turns and divides figures of the same round.",
      "Ends with status 1 when a system has failed; those that cannot do what is asked for are",
      "skipped, with the reason. --list shows all systems."
    })
public final class CompareMain implements Callable<Integer> {
  static final String NAME = "ringwire bench compare";
  private static final int MAX_PAYLOAD = 1 << 26;
  private static final int MAX_THREADS = 1024;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--benchmark", description = "pingpong, stream (default) or requests")
  private Benchmark benchmark = Benchmark.STREAM;

  @Option(
      names = "--systems",
      split = ",",
      description = "names, the first is what others are compared with; default: ${DEFAULT-VALUE}",
      defaultValue = "ringwire-tcp,reference,netty-epoll,netty-io_uring")
  private List<String> systems = List.of();

  @Option(names = "--payload", split = ",", defaultValue = "64", description = "default: 64")
  private List<Integer> payloads = List.of();

  @Option(names = "--threads", split = ",", defaultValue = "1", description = "default: 1")
  private List<Integer> threads = List.of();

  @Option(
      names = "--mode",
      description = "park or spin; default: park for pingpong, each system's own otherwise")
  private @Nullable Mode mode;

  @Option(
      names = "--pin",
      description = {
        "one core for both processes, or one each (two); default: both, one after the other, for",
        "pingpong (spinning: two), otherwise none"
      })
  private @Nullable Pin pin;

  @Option(
      names = "--messages-per-flush",
      defaultValue = "64",
      description =
          "stream: messages between two flushes of the reference programs; Ringwire has no such"
              + " limit; default: 64")
  private int messagesPerFlush;

  @Mixin private RunOptions runOptions = new RunOptions();

  @Option(
      names = "--json",
      description =
          "print lines of JSON, for runs and for pairs of systems, or for those of --list")
  private boolean json;

  @Option(names = "--html", paramLabel = "FILE", description = "write a page with plots")
  private @Nullable Path html;

  @Option(names = "--list", description = "list the systems")
  private boolean list;

  private CompareMain() {}

  /**
   * Parses the words, measures, prints, exits.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    Output.open();
    System.exit(Output.checked(NAME, Main.run(commandLine(), words)));
  }

  /** With an error output that can be replaced. */
  static CommandLine commandLine() {
    CommandLine line =
        OptionValues.checkedBy(new CommandLine(new CompareMain()))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpAutoWidth(true)
            .setExecutionExceptionHandler(new ErrorLine());
    line.setParameterExceptionHandler((e, _) -> {
      line.getErr().println(NAME + ": " + WrongWord.describe(e));
      return 2;
    });
    return line;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (list) {
      ComparedSystem.all()
          .forEach(each ->
              System.out.println(
                  json
                      ? CompareLines.system(each)
                      : "%-22s %s".formatted(each.name(), each.description())));
      return 0;
    }
    checkNumbers();
    List<ComparedSystem> chosen = systems.stream().map(this::system).toList();
    try (PageFile page = html == null ? null : openPage(html)) {
      return measure(chosen, page);
    }
  }

  private PageFile openPage(Path file) {
    try {
      return PageFile.open(file);
    } catch (IOException e) {
      throw usage("--html: " + e.getMessage());
    }
  }

  private int measure(List<ComparedSystem> chosen, @Nullable PageFile page)
      throws IOException, InterruptedException {
    CompareRun run = new CompareRun(chosen, cells(), runOptions);
    List<Outcomes> outcomes = run.measure(json ? System.out::println : _ -> {});
    List<CompareTable> tables = outcomes.stream().map(CompareTable::of).toList();
    String conditions = Conditions.text(runOptions, run.machine());
    if (json) {
      outcomes.forEach(each -> CompareLines.summaries(each).forEach(System.out::println));
    } else {
      System.out.println(conditions);
      tables.forEach(table -> System.out.print("\n" + table.text()));
    }
    if (page != null && html != null) {
      page.write(HtmlPage.of(conditions, outcomes, tables));
      System.err.println("plots: " + html.toAbsolutePath());
    }
    return status(outcomes);
  }

  private int status(List<Outcomes> outcomes) {
    if (outcomes.stream().anyMatch(Outcomes::hasFailures)) {
      System.err.println(NAME + ": a system has failed; its reason is with the results");
      return 1;
    }
    if (outcomes.stream().noneMatch(Outcomes::hasResults)) {
      System.err.println(
          NAME + ": no system can do this here; the reasons are with the results, see --list");
      return 2;
    }
    return 0;
  }

  private ComparedSystem system(String name) {
    return ComparedSystem.find(name)
        .orElseThrow(() ->
            usage(
                "--systems: there is no '"
                    + name
                    + "'"
                    + Nearest.of(name, ComparedSystem.names())
                        .map(best -> ", did you mean '" + best + "'?")
                        .orElse(";")
                    + " --list shows all"));
  }

  private void checkNumbers() {
    require(systems.size() == systems.stream().distinct().count(), "--systems: one appears twice");
    runOptions.check();
    payloads.forEach(each -> Range.check("--payload", each, 0, MAX_PAYLOAD));
    threads.forEach(each -> Range.check("--threads", each, 1, MAX_THREADS));
    require(
        benchmark != Benchmark.PINGPONG || threads.stream().allMatch(each -> each == 1),
        "pingpong has one thread; use --benchmark requests for more");
    Range.check("--messages-per-flush", messagesPerFlush, 1, Settings.MOST_MESSAGES_PER_FLUSH);
    require(
        benchmark == Benchmark.STREAM || messagesPerFlush == Settings.MESSAGES_PER_FLUSH,
        "--messages-per-flush is for streams; a request does not wait for others");
  }

  private void require(boolean condition, String message) {
    if (!condition) {
      throw usage(message);
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }

  private List<Cell> cells() {
    boolean isPingPong = benchmark == Benchmark.PINGPONG;
    Mode waiting = mode == null && isPingPong ? Mode.PARK : mode;
    List<Cell> cells = new ArrayList<>();
    for (Pin cores : pins(isPingPong)) {
      for (int count : threads) {
        for (int bytes : payloads) {
          cells.add(new Cell(benchmark, bytes, count, waiting, cores, messagesPerFlush));
        }
      }
    }
    return cells;
  }

  private List<Pin> pins(boolean isPingPong) {
    if (pin != null) {
      return List.of(pin);
    }
    if (!isPingPong) {
      return List.of(Pin.NONE);
    }
    // Who spins needs a core; on a common one it is the scheduler that is measured.
    return mode == Mode.SPIN ? List.of(Pin.TWO) : List.of(Pin.ONE, Pin.TWO);
  }
}
