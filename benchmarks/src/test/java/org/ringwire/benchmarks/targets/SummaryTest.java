package org.ringwire.benchmarks.targets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.ringwire.benchmarks.runs.Comparison;
import org.ringwire.benchmarks.runs.Figure;
import org.ringwire.benchmarks.runs.Runs.Run;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Goal;
import org.ringwire.benchmarks.runs.Target.Program;

class SummaryTest {
  private static final Contender OWN = contender("ringwire", Figure.MILLION_PER_SECOND);
  private static final Contender SLOW = contender("slow", Figure.MILLION_PER_SECOND);
  private static final Contender FAST = contender("fast", Figure.MILLION_PER_SECOND);

  private static Contender contender(String name, Figure figure) {
    return new Contender(name, Program.REFERENCE, List.of(name), figure);
  }

  private static Target stream(Goal... goals) {
    return new Target("stream", "a stream", "million/s", OWN, List.of(SLOW, FAST), List.of(goals));
  }

  private static Run result(String field, double value) throws Exception {
    return new Run(new ObjectMapper().readTree("{\"" + field + "\":" + value + "}"), null);
  }

  private static Comparison measured(Target target, double own, double slow, @Nullable Double fast)
      throws Exception {
    Comparison comparison = new Comparison(target);
    comparison.startRound();
    comparison.add(OWN, result("messagesPerSecond", own * 1e6));
    comparison.add(SLOW, result("messagesPerSecond", slow * 1e6));
    comparison.add(
        FAST, fast == null ? new Run(null, "died") : result("messagesPerSecond", fast * 1e6));
    return comparison;
  }

  private static String row(Comparison comparison) {
    return new Summary(List.of(comparison)).table("conditions").lines().toList().getLast();
  }

  @Test
  void shouldShowTheBestOfTheOthersAndThatAllGoalsAreMet() throws Exception {
    Target target = stream(new Goal("slow", true, 2), new Goal("fast", true, 1.5));

    assertThat(row(measured(target, 30, 5, 20.0)))
        .isEqualTo("| a stream | million/s | 30 | fast | 20 | 1.50 | all 2 |");
  }

  /** Ringwire used in another way is no other system, however fast. */
  @Test
  void shouldNotTakeItselfForOneOfTheOthers() throws Exception {
    Contender record =
        new Contender("1 threads", Program.RINGWIRE, List.of("stream"), Figure.MILLION_PER_SECOND);
    Target target =
        new Target("stream", "a stream", "million/s", OWN, List.of(SLOW, record), List.of());
    Comparison comparison = new Comparison(target);
    comparison.startRound();
    comparison.add(OWN, result("messagesPerSecond", 30e6));
    comparison.add(SLOW, result("messagesPerSecond", 5e6));
    comparison.add(record, result("messagesPerSecond", 20e6));

    assertThat(row(comparison)).contains("| slow | 5 | 6 |");
  }

  @Test
  void shouldNameEveryGoalThatIsMissed() throws Exception {
    Target target = stream(new Goal("slow", true, 2), new Goal("fast", true, 1.6));

    assertThat(row(measured(target, 30, 5, 20.0)))
        .endsWith("| **1 of 2**, not fast (1.50, at least 1.60 times) |");
  }

  @Test
  void shouldCallAGoalMissedThatWasNotMeasured() throws Exception {
    Target target = stream(new Goal("fast", true, 1.6));

    assertThat(row(measured(target, 30, 5, null)))
        .isEqualTo(
            "| a stream | million/s | 30 | slow | 5 | 6 | **no**: fast (not measured, at least 1.60"
                + " times) |");
  }

  @Test
  void shouldTakeTheLowestOfTimes() throws Exception {
    Contender own = contender("ringwire", Figure.NANOS_PER_MESSAGE);
    Contender other = contender("slow", Figure.NANOS_PER_MESSAGE);
    Contender best = contender("fast", Figure.NANOS_PER_MESSAGE);
    Comparison comparison =
        new Comparison(new Target("t", "a time", "ns", own, List.of(other, best), List.of()));
    comparison.startRound();
    comparison.add(own, result("nanosPerMessage", 12));
    comparison.add(other, result("nanosPerMessage", 60));
    comparison.add(best, result("nanosPerMessage", 6));

    assertThat(row(comparison)).isEqualTo("| a time | ns | 12 | fast | 6 | 2 |  |");
  }

  @Test
  void shouldShowABoundOfItsOwn() throws Exception {
    Contender own = contender("ringwire", Figure.NANOS_PER_MESSAGE);
    Comparison comparison =
        new Comparison(
            new Target("t", "a time", "ns", own, List.of(), List.of(new Goal(null, false, 10))));
    comparison.startRound();
    comparison.add(own, result("nanosPerMessage", 12));

    assertThat(row(comparison))
        .isEqualTo("| a time | ns | 12 |  |  |  | **no**: 12, at most 10 ns |");
  }
}
