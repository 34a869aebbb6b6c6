package org.ringwire.benchmarks.reference.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.tools.bench.measure.RoundTripHistogram;
import org.ringwire.tools.bench.measure.WarmUp;

class ThreadedRoundTripsTest {

  private static final Settings SETTINGS =
      new Settings(
          "reference",
          Settings.Kind.PINGPONG,
          64,
          1,
          Settings.Mode.PARK,
          Settings.Pin.NONE,
          0.05,
          WarmUp.of(0),
          0,
          Settings.MESSAGES_PER_FLUSH);

  @Test
  void shouldKeepTheLargestTimeExactly() throws Exception {
    RoundTrips.Run run = new ThreadedRoundTrips(sample -> sample, SETTINGS).prepare(0);
    run.run(0.05);

    assertThat(run.nanos())
        .isInstanceOf(RoundTripHistogram.class)
        .satisfies(times -> assertThat(times.getTotalCount()).isPositive());
  }

  /** Who answers with anything at all would be fast. */
  @ParameterizedTest
  @CsvSource({"1, 0", "0, 1"})
  void shouldRefuseTheAnswerToAnotherRequest(long later, int otherSender) throws Exception {
    RequestClient wrong =
        sample ->
            new Sample(sample.sequence() + later, sample.sender() + otherSender, sample.payload());
    RoundTrips.Run run = new ThreadedRoundTrips(wrong, SETTINGS).prepare(0);

    assertThatThrownBy(() -> run.run(60))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("reply does not match: expected sender=0, sequence=0, ");
  }
}
