package org.ringwire.tools.demo.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringwire.tools.demo.cluster.Outcome;

class VerificationTest {

  private static final int ROUNDS = 3;
  private static final int EDGES = 7;
  private static final SingleProcessRun ALONE =
      new SingleProcessRun(new int[] {0, 1, -1}, new double[] {0.5, 0.25, 0.25}, 2, 3);
  private static final Outcome RIGHT = outcome(ALONE.levels(), ALONE.ranks(), 2, 9, 11, 0);

  @Test
  void shouldAcceptTheSameResult() {
    Verification verification = Verification.of(RIGHT, ALONE, EDGES, ROUNDS);
    assertThat(verification.problems()).isEmpty();
    assertThat(verification.isGood()).isTrue();
    assertThat(verification.rankDifference()).isZero();
  }

  @Test
  void shouldAcceptRoundingOnly() {
    assertThat(problems(withRank(0.25 * (1 + 0.9e-9)))).isEmpty();
    assertThat(problems(withRank(0.25 * (1 + 1.1e-9))))
        .containsExactly("ranks differ by up to 1.10e-09, allowed are 1e-09");
    assertThat(problems(withRank(Double.NaN))).hasSize(1);
  }

  @Test
  void shouldFindWrongLevels() {
    assertThat(problems(outcome(new int[] {0, 2, 1}, ALONE.ranks(), 2, 9, 11, 0)))
        .containsExactly("classes with a wrong level: expected 0, but there were 2");
  }

  @Test
  void shouldFindWrongCounts() {
    int[] levels = ALONE.levels();
    double[] ranks = ALONE.ranks();
    assertThat(problems(outcome(levels, ranks, 3, 9, 12, 0)))
        .containsExactly("search messages sent: expected 2, but there were 3");
    assertThat(problems(outcome(levels, ranks, 2, 8, 10, 0)))
        .containsExactly("rank messages sent: expected 9, but there were 8");
    assertThat(problems(outcome(levels, ranks, 2, 9, 12, 0)))
        .containsExactly("messages handled: expected 11, but there were 12");
    assertThat(problems(outcome(levels, ranks, 2, 9, 11, 1)))
        .containsExactly("messages in a wrong phase: expected 0, but there were 1");
    assertThat(Verification.of(RIGHT, ALONE, EDGES + 1, ROUNDS).problems())
        .containsExactly("edges read by the nodes: expected 8, but there were 7");
  }

  private static List<String> problems(Outcome outcome) {
    return Verification.of(outcome, ALONE, EDGES, ROUNDS).problems();
  }

  private static Outcome withRank(double rank) {
    return outcome(ALONE.levels(), new double[] {0.5, 0.25, rank}, 2, 9, 11, 0);
  }

  private static Outcome outcome(
      int[] levels, double[] ranks, long search, long rank, long handled, long misplaced) {
    return new Outcome(
        EDGES, levels, ranks, search, rank, handled, misplaced, 1_000_000_000L, 2_000_000_000L);
  }
}
