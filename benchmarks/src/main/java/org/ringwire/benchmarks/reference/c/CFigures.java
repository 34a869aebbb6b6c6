package org.ringwire.benchmarks.reference.c;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.ReceiverReport;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Result.Allocated;
import org.ringwire.benchmarks.reference.harness.Result.Cost;
import org.ringwire.benchmarks.reference.harness.Result.Ran;
import org.ringwire.benchmarks.reference.harness.Result.Rtt;
import org.ringwire.benchmarks.reference.harness.Result.Timed;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;

/** What a program in C has printed: {@code name=value name=value ...}. */
public final class CFigures {
  private final Map<String, Double> values = new HashMap<>();

  /** From its line. */
  public CFigures(String line) {
    for (String pair : line.trim().split(" ", -1)) {
      int equals = pair.indexOf('=');
      values.put(pair.substring(0, equals), Double.parseDouble(pair.substring(equals + 1)));
    }
  }

  /** In the words of all programs. */
  public Result result(Settings settings, String medium, int cpus) {
    Ran ran = new Ran(settings.system(), medium, null, cpus);
    Cost cost = new Cost(Allocated.UNKNOWN, value("cpu"));
    if (!values.containsKey("messages")) {
      // A stream of bytes has no messages: as many as would fit, without any header.
      long messages = (long) (value("bytes") / Math.max(1, settings.payloadLength()));
      return Result.of(
          settings,
          ran,
          new Timed(warmUpSeconds(settings), value("seconds"), messages, null),
          null,
          cost);
    }
    long messages = (long) value("messages");
    ReceiverReport counts = new ReceiverReport(messages, 0, 0, 0, 0, 0, 0); // it fails otherwise
    Timed timed = new Timed(warmUpSeconds(settings), value("seconds"), messages, rtt(settings));
    return Result.of(settings, ran, timed, counts, cost);
  }

  private static double warmUpSeconds(Settings settings) {
    return settings.warmup().seconds();
  }

  private @Nullable Rtt rtt(Settings settings) {
    return settings.kind() == Kind.STREAM
        ? null
        : new Rtt(
            value("mean"), value("p50"), value("p90"), value("p99"), value("p999"), value("max"));
  }

  private double value(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }
}
