package org.ringwire.benchmarks.targets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringwire.benchmarks.runs.Comparison;
import org.ringwire.benchmarks.runs.Figure;
import org.ringwire.benchmarks.runs.Numbers;
import org.ringwire.benchmarks.runs.Runs.Run;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Goal;
import org.ringwire.benchmarks.runs.Target.Program;

class ComparisonTest {
  private final Contender own =
      new Contender("ringwire", Program.RINGWIRE, List.of("bench"), Figure.NANOS_PER_MESSAGE);
  private final Contender other =
      new Contender("c", Program.REFERENCE, List.of("--system"), Figure.NANOS_PER_MESSAGE);
  private final Goal atMostHalf = new Goal("c", false, 0.5);
  private final Target target =
      new Target("id", "title", "ns", own, List.of(other), List.of(atMostHalf));
  private Comparison comparison = new Comparison(target);

  @BeforeEach
  void setUp() {
    comparison = new Comparison(target);
  }

  private void round(double ownNs, double otherNs) throws Exception {
    comparison.startRound();
    comparison.add(own, result(ownNs));
    comparison.add(other, result(otherNs));
  }

  private static Run result(double ns) throws Exception {
    return new Run(new ObjectMapper().readTree("{\"nanosPerMessage\":" + ns + "}"), null);
  }

  @Test
  void shouldDivideFiguresOfTheSameRound() throws Exception {
    round(10, 100); // 0.1
    round(30, 40); // 0.75
    round(20, 50); // 0.4, while medians of the figures would say 0.4 of another round

    assertThat(comparison.ratios("c")).containsExactly(0.1, 0.75, 0.4);
    assertThat(comparison.isMet(atMostHalf)).isTrue();
  }

  @Test
  void shouldNotJudgeWithoutFigures() throws Exception {
    comparison.startRound();
    comparison.add(own, result(10));
    comparison.add(other, new Run(null, "exit status 2: no C compiler"));

    assertThat(comparison.isMet(atMostHalf)).isNull();
    assertThat(new Report(List.of(comparison)).isEverythingMet()).isFalse();
    assertThat(new Report(List.of(comparison)).table("conditions"))
        .contains("- id, c: exit status 2: no C compiler", "| not measured |");
  }

  @Test
  void shouldTellAMissedTarget() throws Exception {
    round(30, 40);

    assertThat(new Report(List.of(comparison)).isEverythingMet()).isFalse();
    assertThat(new Report(List.of(comparison)).table("conditions"))
        .contains("| title | ns | 30 | c | 40 | 0.75 | at most 0.50 times | **no** |");
  }

  @Test
  void shouldShowMedianAndSpread() {
    assertThat(Numbers.withSpread(List.of(3.0, 1.0, 2.0))).isEqualTo("2 (1 to 3)");
    assertThat(Numbers.withSpread(List.of(1000.0, 2000.0))).isEqualTo("1,500 (1,000 to 2,000)");
    assertThat(Numbers.withSpread(List.of(0.00432))).isEqualTo("0.0043");
  }
}
