package org.ringwire.tools.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.tools.bench.measure.CpuUse;
import org.ringwire.tools.bench.measure.Machine;
import org.ringwire.tools.bench.measure.Pinning;
import org.ringwire.tools.bench.measure.WarmUp;
import org.ringwire.tools.bench.pair.BenchSpec;
import org.ringwire.tools.bench.pair.ProcessPair;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.RunFailedException;
import org.ringwire.tools.console.Version;
import org.ringwire.tools.options.Range;
import org.ringwire.tools.options.TransportOption;
import org.ringwire.tools.process.ChildFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a connected pair costs while it has nothing to do. */
@Command(
    name = "idle",
    description = {
      "What a connected pair of processes costs while it has nothing to do.",
      "cpuPercent is the processor time of both, the JVMs' own threads included, over wall time:"
          + " 100 is one core.",
      "floorPercent is the same of two JVMs that have no node and only sleep, at the same time."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false)
final class IdleCommand implements Callable<Integer> {

  private static final double SETTLE_SECONDS = 3;

  @Spec private @Nullable CommandSpec command;

  @Mixin private TransportOption transport = new TransportOption();

  @Option(
      names = "--mode",
      paramLabel = "park|spin|adaptive",
      description = "how threads wait; default: adaptive, as that of a node",
      defaultValue = "adaptive")
  private BenchSpec.Wait mode = BenchSpec.Wait.ADAPTIVE;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "seconds to observe; default: ${DEFAULT-VALUE}",
      defaultValue = "10")
  private double seconds;

  @Option(names = "--json", description = "print one line of JSON on standard output, nothing else")
  private boolean json;

  /**
   * One line of JSON.
   *
   * @param benchmark {@code idle}
   * @param system what was observed
   * @param transport what connects the pair
   * @param seconds length of the observation
   * @param cpuPercent processor time of both over wall time, 100 is one core
   * @param floorPercent the same of two JVMs that sleep meanwhile
   * @param threads the Java threads of both, busiest first
   * @param java version of the runtime
   * @param kernel name and version of the operating system
   * @param cpus processors that the benchmark could use
   */
  record IdleResult(
      String benchmark,
      String system,
      String transport,
      double seconds,
      double cpuPercent,
      double floorPercent,
      List<IdleThread> threads,
      String java,
      String kernel,
      int cpus) {}

  /** A thread and the processor time that it used. */
  record IdleThread(String process, String name, double cpuMillis) {}

  @Override
  public Integer call() {
    Range.check("--seconds", seconds, 0.1, 86_400);
    String name = transport.checked();
    if (name.equals("loopback")) {
      throw new CommandException(
          "loopback connects nodes of one process, not a pair: use tcp or shm");
    }
    var commandLine = Objects.requireNonNull(command).commandLine();
    PrintWriter err = commandLine.getErr();
    BenchSpec spec =
        new BenchSpec(
            BenchSpec.Kind.IDLE,
            name,
            0,
            1,
            false,
            1,
            BenchSpec.Drain.ADAPTIVE,
            Dispatch.Mode.POOLED,
            false,
            mode,
            BenchSpec.PayloadKind.HAND,
            seconds,
            WarmUp.of(0),
            0,
            BenchSpec.Corruption.NONE,
            null);
    IdleResult result = observe(spec, err);
    PrintWriter out = commandLine.getOut();
    out.println(json ? JsonLine.of(result) : forPeople(result));
    out.flush();
    return ExitStatus.GOOD;
  }

  private IdleResult observe(BenchSpec spec, PrintWriter err) {
    Consumer<String> progress =
        line -> {
          err.println(line);
          err.flush();
        };
    try (ProcessPair sleepers = ProcessPair.sleepers(spec, progress);
        ProcessPair pair = ProcessPair.start(spec, Pinning.NONE, null, progress)) {
      return observe(spec, sleepers, pair, progress);
    }
  }

  /** Processes that die meanwhile are no reason to take it for one that cannot run here. */
  private IdleResult observe(
      BenchSpec spec, ProcessPair sleepers, ProcessPair pair, Consumer<String> progress) {
    List<CpuUse> uses;
    List<CpuUse> floor;
    try {
      sleepers.beginIdle(SETTLE_SECONDS);
      pair.beginIdle(SETTLE_SECONDS);
      pair.endIdle(SETTLE_SECONDS);
      sleepers.endIdle(SETTLE_SECONDS);
      progress.accept("observing for " + seconds + " s");
      pair.beginIdle(seconds);
      sleepers.beginIdle(seconds);
      uses = pair.endIdle(seconds);
      floor = sleepers.endIdle(seconds);
    } catch (ChildFailedException e) {
      throw new RunFailedException(e);
    }
    return new IdleResult(
        "idle",
        "ringwire",
        spec.transport(),
        uses.getFirst().wallNanos() / 1e9,
        CpuUse.percent(uses),
        CpuUse.percent(floor),
        threads(uses),
        Machine.java(),
        Machine.kernel(),
        Machine.cpus());
  }

  private static List<IdleThread> threads(List<CpuUse> uses) {
    List<IdleThread> threads = new ArrayList<>();
    for (int i = 0; i < uses.size(); i++) {
      String process = ProcessPair.ROLES.get(i);
      uses.get(i)
          .threads()
          .forEach(t -> threads.add(new IdleThread(process, t.name(), t.cpuMillis())));
    }
    threads.sort(Comparator.comparingDouble(IdleThread::cpuMillis).reversed());
    return threads;
  }

  private static String forPeople(IdleResult result) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "idle pair over %s: %.2f %% of a core; two JVMs that only sleep: %.2f %%%n",
            result.transport(),
            result.cpuPercent(),
            result.floorPercent()));
    for (IdleThread thread : result.threads()) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %-8s  %-32s %10.2f ms%n",
              thread.process(),
              thread.name(),
              thread.cpuMillis()));
    }
    return text.toString().stripTrailing();
  }
}
