package org.ringwire.tools.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.tools.bench.check.CheckResult;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.bench.pair.BenchNodes;
import org.ringwire.tools.bench.pair.BenchSpec;
import org.ringwire.tools.bench.pair.Measured;
import org.ringwire.tools.bench.pair.ProcessPair;
import org.ringwire.tools.bench.pair.Receiver;
import org.ringwire.tools.bench.pair.Sender;
import org.ringwire.tools.bench.profile.ProfilePart;
import org.ringwire.tools.bench.profile.ProfilerAgent;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.RunFailedException;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.options.ThrowAwayTls;
import org.ringwire.tools.process.ChildFailedException;
import picocli.CommandLine.Model.CommandSpec;

/** Runs a benchmark of messages and prints what it found. */
final class MessageBench {

  private MessageBench() {}

  /** As the options say; returns the exit status. */
  static int run(BenchSpec.Kind kind, BenchOptions options, @Nullable CommandSpec command)
      throws InterruptedException {
    BenchSpec spec = options.spec(kind);
    var commandLine = Objects.requireNonNull(command).commandLine();
    PrintWriter err = commandLine.getErr();
    Consumer<String> progress =
        line -> {
          err.println(line);
          err.flush();
        };
    BenchResult result =
        options.tls() ? measureWithTls(spec, options, progress) : measure(spec, options, progress);
    PrintWriter out = commandLine.getOut();
    out.println(options.json() ? JsonLine.of(result) : forPeople(result));
    out.flush();
    CheckResult check =
        new CheckResult(
            result.messages(),
            Objects.requireNonNull(result.lost()),
            Objects.requireNonNull(result.duplicated()),
            result.outOfOrder());
    if (check.isGood()) {
      return ExitStatus.GOOD;
    }
    progress.accept(
        Text.format(
            "not verified: lost %d, duplicated %d, out of order %s",
            check.lost(), check.duplicated(), order(check.outOfOrder())));
    return ExitStatus.NOT_VERIFIED;
  }

  private static BenchResult measureWithTls(
      BenchSpec plain, BenchOptions options, Consumer<String> progress)
      throws InterruptedException {
    progress.accept("making certificates");
    try (ThrowAwayTls tls = ThrowAwayTls.create(BenchNodes.CLUSTER, BenchNodes.RECEIVER)) {
      return measure(plain.withTls(tls.folder()), options, progress);
    }
  }

  private static BenchResult measure(
      BenchSpec spec, BenchOptions options, Consumer<String> progress) throws InterruptedException {
    Path profiles = options.profiles();
    if (profiles == null && options.isInProcess()) {
      try (Receiver receiver = Receiver.open(spec);
          Sender sender = Sender.open(spec, receiver.address())) {
        return BenchResult.of(spec, options.pinning(), run(sender, progress), null);
      }
    }
    try (ProfilerAgent profiler = profiles == null ? null : ProfilerAgent.open(profiles)) {
      return measure(spec, options, profiler, start(spec, options, profiler, progress));
    }
  }

  private static Measured run(Sender sender, Consumer<String> progress)
      throws InterruptedException {
    try {
      return sender.run(true, progress);
    } catch (MessagingException e) {
      throw new RunFailedException(e);
    }
  }

  /**
   * A comparison must not take processes that die or hang for some that cannot run here, also when
   * they do so at their end.
   */
  private static BenchResult measure(
      BenchSpec spec, BenchOptions options, @Nullable ProfilerAgent profiler, ProcessPair started) {
    try (started) {
      Measured measured = started.run();
      List<ProfilePart> profile =
          profiler == null ? null : started.profile(profiler, measured.messages());
      return BenchResult.of(spec, options.pinning(), measured, profile);
    } catch (ChildFailedException e) {
      throw new RunFailedException(e);
    }
  }

  private static ProcessPair start(
      BenchSpec spec,
      BenchOptions options,
      @Nullable ProfilerAgent profiler,
      Consumer<String> progress) {
    return options.isInProcess()
        ? ProcessPair.inOneProcess(spec, profiler, progress)
        : ProcessPair.start(spec, options.pinning(), profiler, progress);
  }

  static String forPeople(BenchResult result) {
    Locale locale = Locale.ROOT;
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            locale,
            "%s over %s, %,d B, %d thread(s)",
            result.benchmark(),
            result.transport(),
            result.payloadBytes(),
            result.threads()));
    lines.add(
        String.format(locale, "%,18d messages in %.2f s", result.messages(), result.seconds()));
    lines.add(String.format(locale, "%,18.0f messages per second", result.messagesPerSecond()));
    lines.add(String.format(locale, "%,18.1f ns per message", result.nanosPerMessage()));
    lines.add(
        String.format(
            locale, "%,18.1f MB of payload per second", result.payloadBytesPerSecond() / 1e6));
    RttMicros rtt = result.rttMicros();
    if (rtt != null) {
      lines.add("  round trip in us: " + rtt.forPeople());
    }
    BenchResult.AllocatedBytes allocated = result.allocatedBytesPerMessage();
    if (allocated != null) {
      lines.add(
          String.format(
              locale,
              "  heap bytes allocated per message: sender %.2f, receiver %.2f",
              allocated.sender(),
              allocated.receiver()));
    }
    lines.add(
        String.format(
            locale,
            "  processor time of both: %.2f s per million messages",
            result.cpuSecondsPerMillionMessages()));
    BenchResult.Calls calls = result.systemCallsPerThousandMessages();
    if (calls != null) {
      lines.add(
          String.format(
              locale,
              "  system calls of both per 1,000 messages: %.2f reads, %.2f writes",
              calls.reads(),
              calls.writes()));
    }
    List<ProfilePart> profile = result.profile();
    if (profile != null) {
      lines.addAll(ProfilePart.table(profile));
    }
    lines.add(
        String.format(
            locale,
            "  lost %d, duplicated %d, out of order %s",
            result.lost(),
            result.duplicated(),
            order(result.outOfOrder())));
    return String.join(System.lineSeparator(), lines);
  }

  private static String order(@Nullable Long outOfOrder) {
    return outOfOrder == null ? "not asked for" : outOfOrder.toString();
  }
}
