package org.ringwire.benchmarks.runs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Program;
import org.ringwire.tools.bench.measure.WarmUp;

/**
 * What all systems do in turns: one point of a comparison.
 *
 * @param mode how threads wait, or null for what each system does best
 * @param messagesPerFlush of a sender of a stream, by those that flush; Ringwire has no such limit
 */
public record Cell(
    Benchmark benchmark,
    int payloadBytes,
    int threads,
    @Nullable Mode mode,
    Pin pin,
    int messagesPerFlush) {
  /** From here on people think in bytes, not in messages. */
  private static final int LARGE = 4096;

  /** What is measured. */
  public enum Benchmark {
    PINGPONG,
    STREAM,
    REQUESTS
  }

  /** How threads wait. */
  public enum Mode {
    PARK,
    SPIN
  }

  /** Cores of the two processes. */
  public enum Pin {
    NONE,
    ONE,
    TWO
  }

  /** With the flushes that the comparison defines. */
  public Cell(Benchmark benchmark, int payloadBytes, int threads, @Nullable Mode mode, Pin pin) {
    this(benchmark, payloadBytes, threads, mode, pin, Settings.MESSAGES_PER_FLUSH);
  }

  /** As people write it. */
  public static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** One line. */
  public String title() {
    StringBuilder title = new StringBuilder(word(benchmark));
    title.append(String.format(Locale.ROOT, ", %,d B, %d thread", payloadBytes, threads));
    title.append(threads == 1 ? "" : "s");
    if (mode != null) {
      title.append(mode == Mode.PARK ? ", parked" : ", spinning");
    }
    title.append(
        switch (pin) {
          case NONE -> "";
          case ONE -> ", one core";
          case TWO -> ", two cores";
        });
    if (messagesPerFlush != Settings.MESSAGES_PER_FLUSH) {
      title.append(", others flush every ").append(messagesPerFlush).append(" messages");
    }
    return title.toString();
  }

  /** What the table, the ratios and the plots are about. */
  public Figure figure() {
    return switch (benchmark) {
      case PINGPONG -> Figure.ROUND_TRIP;
      case REQUESTS -> Figure.THOUSAND_PER_SECOND;
      case STREAM -> payloadBytes < LARGE ? Figure.MILLION_PER_SECOND : Figure.GIGABYTES_PER_SECOND;
    };
  }

  /** As a target without goals: the first system is what others are compared with. */
  public Target target(List<ComparedSystem> systems, double duration, WarmUp warmup) {
    List<Contender> contenders =
        systems.stream().map(system -> contender(system, duration, warmup)).toList();
    return new Target(
        title(),
        title(),
        figure().unit(),
        contenders.getFirst(),
        contenders.subList(1, contenders.size()),
        List.of());
  }

  private Contender contender(ComparedSystem system, double duration, WarmUp warmup) {
    List<String> words = new ArrayList<>();
    if (system.program() == Program.RINGWIRE) {
      // Requests are round trips on several threads.
      words.addAll(List.of("bench", benchmark == Benchmark.STREAM ? "stream" : "pingpong"));
    } else {
      words.addAll(List.of("--benchmark", word(benchmark)));
    }
    words.addAll(system.words());
    words.addAll(List.of("--payload", Integer.toString(payloadBytes)));
    words.addAll(List.of("--threads", Integer.toString(threads)));
    if (mode != null) {
      words.addAll(List.of("--mode", word(mode)));
    } else if (system.program() == Program.RINGWIRE && benchmark == Benchmark.REQUESTS) {
      words.addAll(List.of("--mode", "adaptive")); // what a user gets; the command line parks
    }
    if (pin != Pin.NONE) {
      words.addAll(List.of("--pin", word(pin)));
    }
    if (messagesPerFlush != Settings.MESSAGES_PER_FLUSH && system.program() == Program.REFERENCE) {
      words.addAll(List.of("--messages-per-flush", Integer.toString(messagesPerFlush)));
    }
    words.addAll(List.of("--duration", Double.toString(duration)));
    words.addAll(List.of("--warmup", warmup.toString(), "--json"));
    return new Contender(system.name(), system.program(), words, figure());
  }
}
