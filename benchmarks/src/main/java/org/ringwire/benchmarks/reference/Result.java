package org.ringwire.benchmarks.reference;

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
 * @param nanosPerMessage wall time over the messages of all threads
 */
record Result(
    String benchmark,
    String system,
    String transport,
    int payloadBytes,
    int threads,
    double seconds,
    long messages,
    double messagesPerSecond,
    double payloadBytesPerSecond,
    double nanosPerMessage,
    @Nullable Rtt rttMicros,
    @Nullable Long lost,
    @Nullable Long duplicated,
    @Nullable Long outOfOrder,
    Allocated allocatedBytesPerMessage,
    @Nullable String java,
    String kernel,
    int cpus) {

  /** Times of a round trip. */
  record Rtt(double mean, double p50, double p90, double p99, double p999, double max) {
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
  record Allocated(@Nullable Double sender, @Nullable Double receiver) {
    static final Allocated UNKNOWN = new Allocated(null, null);
  }

  /** The rates follow from the counts. */
  static Result of(
      Settings settings,
      String system,
      Timed timed,
      @Nullable ReceiverReport counts,
      Allocated allocated,
      int cpus) {
    double perSecond = timed.messages() / timed.seconds();
    return new Result(
        settings.kind().label(),
        system,
        "tcp",
        settings.payloadLength(),
        settings.threads(),
        round(timed.seconds()),
        timed.messages(),
        round(perSecond),
        round(perSecond * settings.payloadLength()),
        round(1e9 / perSecond),
        timed.rtt(),
        counts == null ? null : counts.lost(),
        counts == null ? null : counts.duplicated(),
        counts == null ? null : counts.outOfOrder(),
        allocated,
        settings.system() == Settings.PeerSystem.C ? null : Runtime.version().toString(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        cpus);
  }

  /** What a clock saw. */
  record Timed(double seconds, long messages, @Nullable Rtt rtt) {}

  /** Whether every message arrived once and in order, as far as this system can tell. */
  @JsonIgnore
  boolean isVerified() {
    return isZero(lost) && isZero(duplicated) && isZero(outOfOrder);
  }

  private static boolean isZero(@Nullable Long count) {
    return count == null || count == 0;
  }

  String toJson() {
    try {
      return new ObjectMapper().writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static Result fromJson(String line) {
    try {
      return new ObjectMapper().readValue(line, Result.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not a result: " + line, e);
    }
  }

  String toText() {
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

  static double round(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
