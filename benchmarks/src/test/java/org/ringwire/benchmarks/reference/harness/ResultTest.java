package org.ringwire.benchmarks.reference.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.benchmarks.reference.harness.Result.Allocated;
import org.ringwire.benchmarks.reference.harness.Result.Cost;
import org.ringwire.benchmarks.reference.harness.Result.Ran;
import org.ringwire.benchmarks.reference.harness.Result.Rtt;
import org.ringwire.benchmarks.reference.harness.Result.Timed;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.bench.measure.WarmUp;

/** What the figures of a result are, in which unit. */
class ResultTest {
  private static final Settings SETTINGS =
      new Settings(
          "reference",
          Settings.Kind.STREAM,
          64,
          1,
          Settings.Mode.PARK,
          Settings.Pin.NONE,
          2,
          WarmUp.of(0),
          0,
          Settings.MESSAGES_PER_FLUSH);

  private static Result result(long lost, long duplicated, long outOfOrder) {
    return Result.of(
        SETTINGS,
        new Ran("reference", "tcp", null, 2),
        new Timed(8, 2, 1_000_000, null),
        new ReceiverReport(1_000_000, lost, duplicated, outOfOrder, 0, 0, 0),
        new Cost(Allocated.UNKNOWN, 3.0));
  }

  @Test
  void shouldFollowFromTimeAndCount() {
    Result result = result(0, 0, 0);

    assertThat(result.messagesPerSecond()).isEqualTo(500_000);
    assertThat(result.payloadBytesPerSecond()).isEqualTo(32_000_000);
    assertThat(result.nanosPerMessage()).isEqualTo(2_000);
    assertThat(result.cpuSecondsPerMillionMessages()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0, true", "1, 0, 0, false", "0, 1, 0, false", "0, 0, 1, false"})
  void shouldBeVerifiedIfEveryMessageCameOnceAndInOrder(
      long lost, long duplicated, long outOfOrder, boolean verified) {
    assertThat(result(lost, duplicated, outOfOrder).isVerified()).isEqualTo(verified);
  }

  @Test
  void shouldTellTimesInMicroseconds() {
    Histogram nanos = RttMicros.newHistogram();
    LongStream.rangeClosed(1, 1000).map(i -> i * 1000).forEach(nanos::recordValue);

    assertThat(Rtt.from(nanos))
        .usingRecursiveComparison()
        .withEqualsForType((a, b) -> Math.abs(a - b) <= b / 500, Double.class)
        .isEqualTo(new Rtt(500.5, 500, 900, 990, 999, 1000));
  }
}
