package org.ringwire.tools.bench.pair;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.measure.CpuUse;
import org.ringwire.tools.bench.measure.MeasuredHeap;
import org.ringwire.tools.bench.measure.Pinning;
import org.ringwire.tools.bench.profile.ProfilePart;
import org.ringwire.tools.bench.profile.ProfilerAgent;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;
import org.ringwire.tools.process.StartLines;

/**
 * A sender and a receiver, each in a process of its own, connected, or both in a single one; or two
 * processes that sleep.
 */
public final class ProcessPair implements AutoCloseable {

  /** Which is which, in the order of {@link #endIdle}. */
  public static final List<String> ROLES = List.of(BenchChild.SENDER, BenchChild.RECEIVER);

  private static final Duration START = Duration.ofSeconds(60);

  /** Beyond the warm-up and the measurement: starting, draining, waiting for what does not come. */
  private static final double SLACK_SECONDS = 150;

  private final double runSeconds;
  private final List<ChildProcess> children; // the sender first

  private ProcessPair(double runSeconds, List<ChildProcess> children) {
    this.runSeconds = runSeconds;
    this.children = children;
  }

  /**
   * Starts both and waits until they are connected.
   *
   * @param profiler what they are profiled with, or null
   */
  public static ProcessPair start(
      BenchSpec spec,
      Pinning pinning,
      @Nullable ProfilerAgent profiler,
      Consumer<String> progress) {
    pinning.check();
    progress.accept("starting two processes");
    String json = JsonLine.of(spec);
    return start(
        command(spec, BenchChild.RECEIVER, pinning.receiver(), profiler, List.of(json)),
        command(spec, BenchChild.SENDER, pinning.sender(), profiler, List.of(json)),
        runSeconds(spec),
        progress);
  }

  /** Starts a process that is both, with the same settings of the JVM. */
  public static ProcessPair inOneProcess(
      BenchSpec spec, @Nullable ProfilerAgent profiler, Consumer<String> progress) {
    progress.accept("starting a process that sends and receives");
    List<ChildProcess> children = new ArrayList<>();
    try {
      List<String> arguments = List.of(JsonLine.of(spec));
      StartLines lines = new StartLines(progress);
      ChildProcess both =
          start(command(spec, BenchChild.BOTH, List.of(), profiler, arguments), lines, children);
      String _ = lines.awaitReady(both, START);
    } catch (RuntimeException e) {
      children.forEach(ChildProcess::close);
      throw e;
    }
    return new ProcessPair(runSeconds(spec), children);
  }

  private static double runSeconds(BenchSpec spec) {
    return spec.durationSeconds() + spec.warmup().longestSeconds();
  }

  /** Starts two that have no node, with the same settings of the JVM. */
  public static ProcessPair sleepers(BenchSpec spec, Consumer<String> progress) {
    progress.accept("starting two processes that only sleep");
    ChildCommand command = command(spec, BenchChild.SLEEPER, List.of(), null, List.of());
    return start(command, command, 0, progress);
  }

  /** Both at the same time; the sender is told the address when the receiver has one. */
  private static ProcessPair start(
      ChildCommand receiverCommand,
      ChildCommand senderCommand,
      double runSeconds,
      Consumer<String> progress) {
    List<ChildProcess> children = new ArrayList<>();
    try {
      StartLines receiverLines = new StartLines(progress);
      ChildProcess receiver = start(receiverCommand, receiverLines, children);
      StartLines senderLines = new StartLines(progress);
      ChildProcess sender = start(senderCommand, senderLines, children);
      String address = receiverLines.awaitReady(receiver, START);
      String[] told =
          address.isEmpty() ? new String[0] : new String[] {address}; // who sleeps has none
      String _ = senderLines.awaitReady(sender, START, told);
      return new ProcessPair(runSeconds, children.reversed());
    } catch (RuntimeException e) {
      children.forEach(ChildProcess::close);
      throw e;
    }
  }

  private static ChildProcess start(
      ChildCommand command, StartLines lines, List<ChildProcess> children) {
    ChildProcess child = ChildProcess.start(command, lines);
    children.add(child);
    return child;
  }

  /** Measures. */
  public Measured run() {
    ChildProcess sender = children.getFirst();
    sender.send(BenchChild.RUN);
    Duration patience = Duration.ofSeconds(Math.round(runSeconds + SLACK_SECONDS));
    return JsonLine.read(sender.awaitLine(patience), Measured.class);
  }

  /** Where the time that was measured went, if the processes were started with this profiler. */
  public List<ProfilePart> profile(ProfilerAgent profiler, long messages) {
    return children.stream()
        .flatMap(child -> profiler.parts(child.name(), messages).stream())
        .toList();
  }

  /** Makes both observe themselves for a time; {@link #endIdle} follows. */
  public void beginIdle(double seconds) {
    String line = BenchChild.IDLE + " " + seconds;
    children.forEach(child -> child.send(line));
  }

  /** What both have observed; the sender's use first. */
  public List<CpuUse> endIdle(double seconds) {
    Duration patience = Duration.ofSeconds(Math.round(seconds + SLACK_SECONDS));
    List<CpuUse> uses = new ArrayList<>();
    for (ChildProcess child : children) {
      uses.add(JsonLine.read(child.awaitLine(patience), CpuUse.class));
    }
    return uses;
  }

  @Override
  public void close() {
    try {
      for (ChildProcess child : children) {
        if (child.isAlive()) {
          child.send(BenchChild.END);
          child.awaitExit(START);
        }
      }
    } finally {
      children.forEach(ChildProcess::close);
    }
  }

  private static ChildCommand command(
      BenchSpec spec,
      String role,
      List<String> launcher,
      @Nullable ProfilerAgent profiler,
      List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add(role);
    words.addAll(arguments);
    long heapMiB = 1024 + 6L * spec.threads() * (spec.payloadBytes() >> 20);
    List<String> vmOptions = new ArrayList<>(vmOptions(heapMiB));
    vmOptions.addAll(ProfilerAgent.optionsOf(profiler, role));
    return new ChildCommand(role, BenchChild.class, vmOptions, words).withLauncher(launcher);
  }

  private static List<String> vmOptions(long heapMiB) {
    List<String> options = new ArrayList<>(MeasuredHeap.options());
    options.add("-Xmx" + heapMiB + "m");
    options.add("--illegal-native-access=deny");
    options.add("--sun-misc-unsafe-memory-access=deny");
    return options;
  }
}
