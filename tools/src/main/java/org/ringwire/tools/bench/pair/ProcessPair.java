package org.ringwire.tools.bench.pair;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ringwire.tools.bench.measure.CpuUse;
import org.ringwire.tools.bench.measure.MeasuredHeap;
import org.ringwire.tools.bench.measure.Pinning;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;
import org.ringwire.tools.process.StartLines;

/**
 * A sender and a receiver, each in a process of its own, connected; or two processes that sleep.
 */
public final class ProcessPair implements AutoCloseable {

  /** Which is which, in the order of {@link #endIdle}. */
  public static final List<String> ROLES = List.of(BenchChild.SENDER, BenchChild.RECEIVER);

  private static final Duration START = Duration.ofSeconds(60);

  /** Beyond the warm-up and the measurement: starting, draining, waiting for what does not come. */
  private static final double SLACK_SECONDS = 150;

  private final double runSeconds;
  private final ChildProcess receiver;
  private final ChildProcess sender;

  private ProcessPair(double runSeconds, ChildProcess receiver, ChildProcess sender) {
    this.runSeconds = runSeconds;
    this.receiver = receiver;
    this.sender = sender;
  }

  /** Starts both and waits until they are connected. */
  public static ProcessPair start(BenchSpec spec, Pinning pinning, Consumer<String> progress) {
    pinning.check();
    progress.accept("starting two processes");
    String json = JsonLine.of(spec);
    return start(
        command(spec, BenchChild.RECEIVER, pinning.receiver(), List.of(json)),
        address -> command(spec, BenchChild.SENDER, pinning.sender(), List.of(json, address)),
        spec.durationSeconds() + spec.warmup().longestSeconds(),
        progress);
  }

  /** Starts two that have no node, with the same settings of the JVM. */
  public static ProcessPair sleepers(BenchSpec spec, Consumer<String> progress) {
    progress.accept("starting two processes that only sleep");
    ChildCommand command = command(spec, BenchChild.SLEEPER, List.of(), List.of());
    return start(command, _ -> command, 0, progress);
  }

  private static ProcessPair start(
      ChildCommand receiverCommand,
      Function<String, ChildCommand> senderCommand,
      double runSeconds,
      Consumer<String> progress) {
    List<ChildProcess> children = new ArrayList<>();
    try {
      String address = start(receiverCommand, progress, children);
      start(senderCommand.apply(address), progress, children);
      return new ProcessPair(runSeconds, children.getFirst(), children.getLast());
    } catch (RuntimeException e) {
      children.forEach(ChildProcess::close);
      throw e;
    }
  }

  /** Returns what the child says when it is ready. */
  private static String start(
      ChildCommand command, Consumer<String> progress, List<ChildProcess> children) {
    StartLines lines = new StartLines(progress);
    ChildProcess child = ChildProcess.start(command, lines);
    children.add(child);
    return lines.awaitReady(child, START);
  }

  /** Measures. */
  public Measured run() {
    sender.send(BenchChild.RUN);
    Duration patience = Duration.ofSeconds(Math.round(runSeconds + SLACK_SECONDS));
    return JsonLine.read(sender.awaitLine(patience), Measured.class);
  }

  /** Makes both observe themselves for a time; {@link #endIdle} follows. */
  public void beginIdle(double seconds) {
    String line = BenchChild.IDLE + " " + seconds;
    sender.send(line);
    receiver.send(line);
  }

  /** What both have observed; the sender's use first. */
  public List<CpuUse> endIdle(double seconds) {
    Duration patience = Duration.ofSeconds(Math.round(seconds + SLACK_SECONDS));
    List<CpuUse> uses = new ArrayList<>();
    for (ChildProcess child : List.of(sender, receiver)) {
      uses.add(JsonLine.read(child.awaitLine(patience), CpuUse.class));
    }
    return uses;
  }

  @Override
  public void close() {
    try (receiver;
        sender) {
      for (ChildProcess child : List.of(sender, receiver)) {
        if (child.isAlive()) {
          child.send(BenchChild.END);
          child.awaitExit(START);
        }
      }
    }
  }

  private static ChildCommand command(
      BenchSpec spec, String role, List<String> launcher, List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add(role);
    words.addAll(arguments);
    long heapMiB = 1024 + 6L * spec.threads() * (spec.payloadBytes() >> 20);
    return new ChildCommand(role, BenchChild.class, vmOptions(heapMiB), words)
        .withLauncher(launcher);
  }

  private static List<String> vmOptions(long heapMiB) {
    List<String> options = new ArrayList<>(MeasuredHeap.options());
    options.add("-Xmx" + heapMiB + "m");
    options.add("--illegal-native-access=deny");
    options.add("--sun-misc-unsafe-memory-access=deny");
    return options;
  }
}
