package org.ringwire.benchmarks.reference.harness;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One measurement, in the words of {@code ./ringwire bench --json}; what does not apply is null.
 *
 * @param messages one-way messages, or round trips where there are replies
 * @param seconds until the last message was handled by the receiver, without warm-up
 * @param warmUpSeconds what came before
 * @param nanosPerMessage wall time over the messages of all threads
 * @param cpuSecondsPerMillionMessages processor time of both processes
 * @param messagesPerFlush of a sender of a stream, by those that flush
 * @param pinning {@code none}, {@code one} core for both processes, or {@code two}
 */
public record Result(
    String benchmark,
    String system,
    String transport,
    int payloadBytes,
    int threads,
    double seconds,
    double warmUpSeconds,
    long messages,
    double messagesPerSecond,
    double payloadBytesPerSecond,
    double nanosPerMessage,
    @Nullable Rtt rttMicros,
    @Nullable Long lost,
    @Nullable Long duplicated,
    @Nullable Long outOfOrder,
    Allocated allocatedBytesPerMessage,
    @Nullable Double cpuSecondsPerMillionMessages,
    String mode,
    String pinning,
    @Nullable String java,
    String kernel,
    int cpus,
    @Nullable Integer messagesPerFlush) {

  /** Times of a round trip. */
  public record Rtt(double mean, double p50, double p90, double p99, double p999, double max) {
    static Rtt from(Histogram nanos) {
      return new Rtt(
          round(nanos.getMean() / 1e3),
          micros(nanos, 50),
          micros(nanos, 90),
          micros(nanos, 99),
          micros(nanos, 99.9),
          round(nanos.getMaxValue() / 1e3));
    }

    private static double micros(Histogram nanos, double percentile) {
      return round(nanos.getValueAtPercentile(percentile) / 1e3);
    }
  }

  /** Heap bytes per message on either side. */
  public record Allocated(@Nullable Double sender, @Nullable Double receiver) {
    /** For programs without a heap. */
    public static final Allocated UNKNOWN = new Allocated(null, null);
  }

  /**
   * What was measured, and where.
   *
   * @param java version of the virtual machine, or null if there is none
   */
  public record Ran(String system, String medium, @Nullable String java, int cpus) {}

  /**
   * What it took besides time.
   *
   * @param cpuSeconds of both processes while it was measured, or null if unknown
   */
  public record Cost(Allocated perMessage, @Nullable Double cpuSeconds) {}

  /** What a clock saw. */
  public record Timed(double warmUpSeconds, double seconds, long messages, @Nullable Rtt rtt) {}

  /** The rates follow from the counts. */
  public static Result of(
      Settings settings, Ran ran, Timed timed, @Nullable ReceiverReport counts, Cost cost) {
    double perSecond = timed.messages() / timed.seconds();
    double messages = Math.max(1, timed.messages());
    Double cpuSeconds = cost.cpuSeconds();
    return new Result(
        settings.kind().label(),
        ran.system(),
        ran.medium(),
        settings.payloadLength(),
        settings.threads(),
        round(timed.seconds()),
        round(timed.warmUpSeconds()),
        timed.messages(),
        round(perSecond),
        round(perSecond * settings.payloadLength()),
        round(timed.seconds() * 1e9 / messages),
        timed.rtt(),
        counts == null ? null : counts.lost(),
        counts == null ? null : counts.duplicated(),
        counts == null ? null : counts.outOfOrder(),
        cost.perMessage(),
        cpuSeconds == null ? null : round(cpuSeconds * 1e6 / messages),
        settings.mode().label(),
        settings.pin().label(),
        ran.java(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        ran.cpus(),
        settings.kind() == Settings.Kind.STREAM ? settings.messagesPerFlush() : null);
  }

  /** Whether every message arrived once and in order, as far as this system can tell. */
  @JsonIgnore
  public boolean isVerified() {
    return isZero(lost) && isZero(duplicated) && isZero(outOfOrder);
  }

  private static boolean isZero(@Nullable Long count) {
    return count == null || count == 0;
  }

  /** As one line. */
  public String toJson() {
    try {
      return new ObjectMapper().writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** From a line. */
  static Result fromJson(String line) {
    try {
      return new ObjectMapper().readValue(line, Result.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not a result: " + line, e);
    }
  }

  /** For people. */
  public String toText() {
    String text =
        String.format(
            Locale.ROOT,
            "%s %s, %d B, %d thread(s): %,.0f messages/s, %.1f MB/s, %.1f ns per message",
            system,
            benchmark,
            payloadBytes,
            threads,
            messagesPerSecond,
            payloadBytesPerSecond / 1e6,
            nanosPerMessage);
    return rttMicros == null
        ? text
        : text
            + String.format(
                Locale.ROOT, "; p50 %.1f us, p99 %.1f us", rttMicros.p50(), rttMicros.p99());
  }

  /** Three decimals. */
  static double round(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
