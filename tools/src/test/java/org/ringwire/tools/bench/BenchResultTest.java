package org.ringwire.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.ringwire.Dispatch;
import org.ringwire.tools.bench.check.CheckResult;
import org.ringwire.tools.bench.measure.Pinning;
import org.ringwire.tools.bench.measure.SystemCalls;
import org.ringwire.tools.bench.measure.WarmUp;
import org.ringwire.tools.bench.pair.BenchSpec;
import org.ringwire.tools.bench.pair.Measured;

/** What the figures of a result are, in which unit: the same as those of what is compared. */
final class BenchResultTest {

  private static final BenchSpec SPEC =
      new BenchSpec(
          BenchSpec.Kind.STREAM,
          "tcp",
          64,
          1,
          false,
          1,
          BenchSpec.Drain.ADAPTIVE,
          Dispatch.Mode.INLINE,
          false,
          BenchSpec.Wait.PARK,
          BenchSpec.PayloadKind.HAND,
          2,
          WarmUp.of(0),
          0,
          BenchSpec.Corruption.NONE,
          null);

  @Test
  void shouldFollowFromTimeAndCount() {
    Measured measured =
        new Measured(
            8,
            1_000_000,
            2,
            null,
            new CheckResult(1_000_000, 1, 2, 3L),
            5_000_000,
            40_000_000,
            3_000_000_000L,
            new SystemCalls(4_000, 7_000));

    BenchResult result = BenchResult.of(SPEC, Pinning.NONE, measured, null);

    assertThat(result.messagesPerSecond()).isEqualTo(500_000);
    assertThat(result.payloadBytesPerSecond()).isEqualTo(32_000_000);
    assertThat(result.nanosPerMessage()).isEqualTo(2_000);
    assertThat(result.cpuSecondsPerMillionMessages()).isCloseTo(3, within(1e-9));
    assertThat(result.allocatedBytesPerMessage())
        .isEqualTo(new BenchResult.AllocatedBytes(5.0, 40.0));
    assertThat(result.systemCallsPerThousandMessages()).isEqualTo(new BenchResult.Calls(4, 7));
    assertThat(result.lost()).isEqualTo(1);
    assertThat(result.duplicated()).isEqualTo(2);
    assertThat(result.outOfOrder()).isEqualTo(3);
  }
}
