package org.ringwire.benchmarks.runs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringwire.benchmarks.runs.CoreDistances.Around;

class CoreDistancesTest {
  private final CoreDistances distances = new CoreDistances();

  @Test
  void shouldSayHowFarTheCoresWere() {
    distances.add(Around.of(80.0, 100.0));
    distances.add(Around.of(null, 100.0));
    distances.add(Around.of(120.0, 150.0));

    assertThat(distances.text())
        .isEqualTo(" A cache line went from one core to the other and back in 110 (80 to 150) ns.");
  }

  @Test
  void shouldSayHowManyRunsHadWhichDistance() {
    distances.add(new Around(80, 100));
    distances.add(new Around(400, 410));
    distances.add(new Around(420, 405));
    distances.add(new Around(90, 415));

    assertThat(distances.text())
        .contains("changed meanwhile")
        .contains("in 90 (80 to 100) ns before and after 1 runs")
        .contains("in 410 (400 to 420) ns before and after 2, and")
        .endsWith("the other after 1.");
  }

  @Test
  void shouldSayNothingWhereNobodyKnows() {
    distances.add(null);

    assertThat(distances.text()).isEmpty();
  }

  @Test
  @Timeout(60)
  void shouldMeasureTheDistance() throws InterruptedException {
    Double nanos;
    do {
      nanos = CoreDistance.measure();
    } while (nanos == null); // other programs had the processors

    assertThat(nanos).isPositive();
  }
}
