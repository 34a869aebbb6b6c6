package org.ringwire.benchmarks.reference.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ringwire.tools.bench.measure.RoundTripHistogram;
import org.ringwire.tools.bench.measure.WarmUp;

class ThreadedRoundTripsTest {

  @Test
  void shouldKeepTheLargestTimeExactly() throws Exception {
    Settings settings =
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

    RoundTrips.Run run = new ThreadedRoundTrips(sample -> sample, settings).prepare(0);
    run.run(0.05);

    assertThat(run.nanos())
        .isInstanceOf(RoundTripHistogram.class)
        .satisfies(times -> assertThat(times.getTotalCount()).isPositive());
  }
}
