package org.ringwire.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What is chosen, on a machine whose answers in a time the test controls, by the test's clock. */
@ExtendWith(NodeWatcher.class)
class WaitChoiceTest {

  private static final long STEP_NS = 50_000;
  private static final long SECOND_NS = 1_000_000_000;

  /** A wrong choice lasts so long at most when the answers show it. */
  private static final long BOUND_NS = 250_000_000;

  private long nowNs = Long.MAX_VALUE - SECOND_NS / 2; // it overflows
  private double answers = Integer.MAX_VALUE - 1_000.0; // so do they
  private double yielding; // answers in a step
  private double parking;
  private long yieldedNs;
  private final WaitChoice choice = new WaitChoice(nowNs, (int) answers);

  private void machine(double yieldingPerSecond, double parkingPerSecond) {
    yielding = yieldingPerSecond * STEP_NS / SECOND_NS;
    parking = parkingPerSecond * STEP_NS / SECOND_NS;
  }

  private void run(long lengthNs) {
    yieldedNs = 0;
    for (long ranNs = 0; ranNs < lengthNs; ranNs += STEP_NS) {
      nowNs += STEP_NS;
      boolean yields = choice.begin(nowNs, (int) (long) answers);
      answers += yields ? yielding : parking;
      yieldedNs += yields ? STEP_NS : 0;
    }
  }

  private double yieldedShare(long lengthNs) {
    run(lengthNs);
    return (double) yieldedNs / lengthNs;
  }

  @Test
  void shouldParkAtFirst() {
    assertThat(choice.yields()).isFalse();
    assertThat(choice.begin(nowNs, (int) answers)).isFalse();
  }

  @Test
  void shouldYieldSoonWhereThatBringsMore() {
    machine(500_000, 150_000);
    run(BOUND_NS);
    assertThat(yieldedShare(20 * SECOND_NS)).isBetween(0.98, 0.9999);
  }

  @Test
  void shouldParkWhereThatBringsMoreAndTryTheOtherRarely() {
    machine(6_000, 50_000);
    run(BOUND_NS);
    assertThat(yieldedShare(20 * SECOND_NS)).isBetween(0.001, 0.02);
  }

  @Test
  void shouldFallBackInBoundedTimeWhenOthersWantTheCores() {
    machine(300_000, 100_000);
    run(20 * SECOND_NS);
    assertThat(choice.yields()).isTrue();
    machine(6_000, 50_000);
    run(BOUND_NS);
    assertThat(yieldedShare(2 * SECOND_NS)).isLessThan(0.08);
  }

  @Test
  void shouldComeBackWhenTheCoresAreFreeAgain() {
    machine(6_000, 50_000);
    run(20 * SECOND_NS);
    machine(300_000, 150_000);
    run(BOUND_NS);
    assertThat(yieldedShare(2 * SECOND_NS)).isGreaterThan(0.9);
  }

  @Test
  void shouldFindOutByTheNextTrialWhatTheChosenWayDoesNotShow() {
    machine(6_000, 50_000);
    run(20 * SECOND_NS);
    machine(150_000, 50_000); // parking brings what it did
    run(2 * WaitChoice.LONGEST_HOLD_NS);
    assertThat(yieldedShare(SECOND_NS)).isGreaterThan(0.9);
  }

  @Test
  void shouldParkWhereBothBringTheSame() {
    machine(1_600, 1_600);
    assertThat(yieldedShare(20 * SECOND_NS)).isLessThan(0.25);
    assertThat(choice.yields()).isFalse();
  }

  @Test
  void shouldNotChangeItsMindForALittle() {
    machine(110_000, 100_000);
    run(5 * SECOND_NS);
    assertThat(yieldedShare(10 * SECOND_NS)).isLessThan(0.1);
    machine(130_000, 100_000);
    run(3 * SECOND_NS);
    assertThat(yieldedShare(10 * SECOND_NS)).isGreaterThan(0.9);
    machine(110_000, 100_000);
    assertThat(yieldedShare(10 * SECOND_NS)).isGreaterThan(0.9);
  }

  @Test
  void shouldForgetWhatItMeasuredBeforeALongSilence() {
    machine(500_000, 150_000);
    run(SECOND_NS);
    nowNs += 3600 * SECOND_NS;
    run(STEP_NS);
    assertThat(choice.yields()).isTrue(); // nor is an hour without answers a reason to park
    assertThat(yieldedShare(5 * SECOND_NS)).isGreaterThan(0.95);
  }

  @Test
  void shouldTryRarelyWithoutAnswers() {
    machine(0, 0);
    assertThat(yieldedShare(20 * SECOND_NS)).isLessThan(0.15);
  }
}
