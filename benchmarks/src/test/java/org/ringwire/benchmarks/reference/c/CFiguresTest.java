package org.ringwire.benchmarks.reference.c;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Result.Rtt;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.tools.bench.measure.WarmUp;

/** What the line of a program in C says in the words of the others. */
class CFiguresTest {

  private static Result result(Settings.Kind kind, String line) {
    Settings settings =
        new Settings(
            "c",
            kind,
            100,
            1,
            Settings.Mode.PARK,
            Settings.Pin.NONE,
            2,
            WarmUp.of(1),
            0,
            Settings.MESSAGES_PER_FLUSH);
    return new CFigures(line).result(settings, "tcp", 2);
  }

  /** Without headers, which is in favour of the program in C. */
  @Test
  void shouldTakeBytesForAsManyMessagesAsWouldFit() {
    Result result = result(Settings.Kind.STREAM, "seconds=2.0 cpu=3.0 bytes=1000000000");

    assertThat(result.messages()).isEqualTo(10_000_000);
    assertThat(result.payloadBytesPerSecond()).isEqualTo(500_000_000);
    assertThat(result.cpuSecondsPerMillionMessages()).isEqualTo(0.3);
    assertThat(result.lost()).as("nobody has counted").isNull();
  }

  @Test
  void shouldTakeWhatWasCounted() {
    Result result =
        result(
            Settings.Kind.PINGPONG,
            "seconds=2.0 cpu=0.5 messages=1000 mean=1.5 p50=1.1 p90=2.2 p99=3.3 p999=4.4 max=5.5");

    assertThat(result.messagesPerSecond()).isEqualTo(500);
    assertThat(result.rttMicros()).isEqualTo(new Rtt(1.5, 1.1, 2.2, 3.3, 4.4, 5.5));
    assertThat(result.lost()).isZero();
  }
}
