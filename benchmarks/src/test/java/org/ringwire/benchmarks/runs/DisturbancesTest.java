package org.ringwire.benchmarks.runs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DisturbancesTest {
  private final Disturbances disturbances = new Disturbances(3);

  @Test
  void shouldAskForAnotherAttemptOnlyAfterADisturbedOne() {
    disturbances.startRun();
    disturbances.attempted(0.5);
    assertThat(disturbances.callForAnother()).isTrue();
    disturbances.attempted(0.02);
    assertThat(disturbances.callForAnother()).isFalse();
    disturbances.startRun();
    disturbances.attempted(0.1);
    assertThat(disturbances.callForAnother()).isFalse();

    assertThat(disturbances.text())
        .contains("6 % of the machine during the median run, 10 % during the worst")
        .contains("1 runs were made again")
        .doesNotContain("not quiet");
  }

  @Test
  void shouldGiveUpAndSayThatTheMachineWasBusy() {
    disturbances.startRun();
    for (int i = 0; i < 3; i++) {
      assertThat(disturbances.callForAnother()).isEqualTo(i > 0);
      disturbances.attempted(0.5);
    }
    assertThat(disturbances.callForAnother()).isFalse();

    assertThat(disturbances.text()).contains("50 % during the worst").contains("not quiet");
  }

  @Test
  void shouldSayNothingWhereNobodyKnows() {
    disturbances.startRun();
    disturbances.attempted(null);

    assertThat(disturbances.callForAnother()).isFalse();
    assertThat(disturbances.text()).isEmpty();
  }
}
