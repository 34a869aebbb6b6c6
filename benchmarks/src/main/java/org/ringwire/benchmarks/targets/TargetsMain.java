package org.ringwire.benchmarks.targets;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.PageFile;
import org.ringwire.benchmarks.WrongWord;
import org.ringwire.benchmarks.runs.Cell;
import org.ringwire.benchmarks.runs.Comparison;
import org.ringwire.benchmarks.runs.Conditions;
import org.ringwire.benchmarks.runs.EarlierRuns;
import org.ringwire.benchmarks.runs.RunOptions;
import org.ringwire.benchmarks.runs.Runs;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.Main;
import org.ringwire.tools.OptionValues;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.Output;
import org.ringwire.tools.console.Problem;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures every target of the project: Ringwire and what it is compared with in turns, as this is
 * the only comparison that means something on a machine whose speed drifts.
 *
 * <p>Exit status: 0 every target is met, 1 one is missed or could not be measured, 2 usage.
 */
@Command(
    name = "targets",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures Ringwire against its targets and prints one table.")
public final class TargetsMain implements Callable<Integer> {
  /** Build of the launcher and start of four JVMs, on top of the measured time. */
  private static final long EXTRA_SECONDS = 180;

  /** Which targets. */
  enum Suite {
    BASIC,
    PEERS
  }

  @Option(
      names = "--suite",
      description = {
        "basic (default): against a plain program, Netty and C; half an hour. peers: against",
        "every other system, by size and threads; two hours"
      })
  private Suite suite = Suite.BASIC;

  @Mixin private RunOptions runOptions = new RunOptions();

  @Option(
      names = "--only",
      split = ",",
      description = "ids, or beginnings of ids, of the targets to measure; see --list")
  private List<String> only = List.of();

  @Option(names = "--list", description = "list the targets")
  private boolean list;

  @Option(names = "--markdown", description = "write the table to this file as well")
  private @Nullable Path markdown;

  @Option(
      names = "--update",
      split = ",",
      paramLabel = "FILE",
      description = {
        "put the table where these files have it: between a line that is <!-- targets SUITE -->",
        "and one that is <!-- /targets SUITE -->, or, with one row for each target, between",
        "<!-- targets SUITE summary --> and <!-- /targets SUITE summary -->"
      })
  private List<Path> updated = List.of();

  @Option(names = "--json", description = "write every run and every goal to this file, as lines")
  private @Nullable Path json;

  @Option(
      names = "--resume",
      description = {
        "take the runs that the file of --json has already, of this build and with the same",
        "times, and make the others"
      })
  private boolean resume;

  @Option(
      names = "--ringwire",
      defaultValue = "./ringwire",
      description = "the launcher, default: ./ringwire")
  private Path ringwire = Path.of("./ringwire");

  private TargetsMain() {}

  /**
   * Parses the words, measures, prints, exits.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    Output.open();
    CommandLine line =
        OptionValues.checkedBy(new CommandLine(new TargetsMain()))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(new ErrorLine());
    line.setParameterExceptionHandler((e, _) -> {
      System.err.println("targets: " + WrongWord.describe(e));
      return 2;
    });
    System.exit(Output.checked("targets", Main.run(line, words)));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Target> targets = chosen();
    if (list) {
      targets.forEach(each -> System.out.printf("%-18s %s%n", each.id(), each.title()));
      return 0;
    }
    runOptions.check();
    String problem = problem(targets);
    if (problem != null) {
      throw new CommandException(problem);
    }
    GeneratedTables tables = tables();
    try (PageFile page = markdown == null ? null : page(markdown)) {
      return measure(targets, tables, page);
    }
  }

  /** What is wrong with the options, for people, or null. */
  private @Nullable String problem(List<Target> targets) {
    for (String each : only) {
      if (targets.stream().noneMatch(target -> target.id().startsWith(each))) {
        return "--only: there is no target " + each + ", see --list";
      }
    }
    if (!Files.isRegularFile(ringwire) || !Files.isExecutable(ringwire)) {
      return "no launcher at " + ringwire + "; name it with --ringwire";
    }
    if (resume && json == null) {
      return "--resume needs --json FILE, with the runs to go on from";
    }
    return null;
  }

  private GeneratedTables tables() {
    try {
      return GeneratedTables.in(updated, Cell.word(suite));
    } catch (IOException e) {
      throw new CommandException("--update: " + Problem.describe(e), e);
    }
  }

  private static PageFile page(Path file) {
    try {
      return PageFile.open(file);
    } catch (IOException e) {
      throw new CommandException("--markdown: " + e.getMessage(), e);
    }
  }

  private int measure(List<Target> targets, GeneratedTables tables, @Nullable PageFile page)
      throws IOException, InterruptedException {
    String built = EarlierRuns.built(classPath());
    EarlierRuns earlier = resume && json != null ? earlier(json, built) : EarlierRuns.none();
    try (PrintWriter log = json == null ? null : writer(json, earlier, built)) {
      long longest =
          (long) (runOptions.duration() + 3 * runOptions.warmup().longestSeconds()) + EXTRA_SECONDS;
      Runs runs = new Runs(ringwire, longest, log, runOptions.attempts(), earlier);
      List<Comparison> comparisons = measure(targets, runs);
      String conditions =
          Conditions.text(runOptions, runs.machine())
              + " Ratios are Ringwire's figure over the other's in the same round.";
      Report report = new Report(comparisons);
      if (log != null) {
        report.jsonLines().forEach(log::println);
      }
      String table = report.table(conditions);
      System.out.print(table + report.commands());
      if (page != null) {
        page.write(table + report.commands());
      }
      tables.replace(table, new Summary(comparisons).table(conditions));
      requireWritten(log); // last: who has waited for hours has the table then
      return report.isEverythingMet() ? 0 : 1;
    }
  }

  private static List<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of)
        .toList();
  }

  private static EarlierRuns earlier(Path json, String built) {
    try {
      return EarlierRuns.of(json, built);
    } catch (IOException e) {
      throw new CommandException("--resume: " + Problem.describe(json, e), e);
    }
  }

  private static PrintWriter writer(Path file, EarlierRuns earlier, String built) {
    try {
      return earlier.begin(file, built);
    } catch (IOException e) {
      throw new CommandException("--json cannot be written: " + Problem.describe(file, e), e);
    }
  }

  /** Print writers keep to themselves that they could not write. */
  private void requireWritten(@Nullable PrintWriter log) {
    if (log != null && log.checkError()) {
      throw new CommandException("--json cannot be written: " + json);
    }
  }

  private List<Target> chosen() {
    List<Target> all =
        switch (suite) {
          case BASIC -> new Targets(runOptions.duration(), runOptions.warmup()).all();
          case PEERS -> new PeerTargets(runOptions.duration(), runOptions.warmup()).all();
        };
    return all.stream()
        .filter(each -> only.isEmpty() || only.stream().anyMatch(each.id()::startsWith))
        .toList();
  }

  private List<Comparison> measure(List<Target> targets, Runs runs) throws InterruptedException {
    List<Comparison> comparisons = targets.stream().map(Comparison::new).toList();
    for (int round = 1; round <= runOptions.rounds(); round++) {
      runs.startRound();
      for (Comparison comparison : comparisons) {
        measureRound(comparison, runs, round);
      }
    }
    return comparisons;
  }

  /** The order rotates, so that nobody always runs on the machine that another one has heated. */
  private void measureRound(Comparison comparison, Runs runs, int round)
      throws InterruptedException {
    comparison.startRound();
    List<Contender> contenders = new ArrayList<>(comparison.target().contenders());
    Collections.rotate(contenders, round - 1);
    for (Contender contender : contenders) {
      String id = comparison.target().id();
      System.err.println(
          "round " + round + " of " + runOptions.rounds() + ": " + id + ", " + contender.name());
      Runs.Run run = runs.run(comparison.target(), contender, round);
      comparison.add(contender, run);
      if (run.error() != null) {
        System.err.println("  " + run.error());
      }
    }
  }
}
