package org.ringwire.engine.connection.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Which addresses of a node wait after failures, and how often one is tried whatever comes. */
@ExtendWith(NodeWatcher.class)
class BackOffTest {

  private static final long MS = 1_000_000;
  private static final long LATER = 10_000 * MS; // all waits are shorter

  @Test
  void shouldConcernTheAddressThatHasFailedAndNoOther() {
    BackOff backOff = BackOff.first("refused", "a", 0);
    assertThat(backOff.refuses("a", MS)).isTrue();
    assertThat(backOff.refuses("b", MS)).isFalse();
    assertThat(backOff.refuses("a", LATER)).isFalse();
    assertThat(backOff.leftNs(MS)).isPositive();
    BackOff second = backOff.next("refused", "b", MS, 2 * MS);
    assertThat(second.refuses("a", 3 * MS)).isTrue();
    assertThat(second.refuses("b", 3 * MS)).isTrue();
    assertThat(second.refuses("c", 3 * MS)).isFalse();
  }

  @Test
  void shouldForgetWhatFailedBeforeAnAttemptThatHasWaited() {
    BackOff backOff = BackOff.first("refused", "a", 0).next("refused", "b", 1, 2);
    BackOff waited = backOff.next("refused", "b", LATER, LATER + 1);
    assertThat(waited.refuses("a", LATER + 2)).isFalse();
    assertThat(waited.refuses("b", LATER + 2)).isTrue();
    BackOff slow = backOff.next("timed out", "c", 3, LATER); // it had not waited when it began
    assertThat(slow.refuses("a", LATER + 1)).isTrue();
  }

  @Test
  void shouldSayWhenAndWhereWasTriedWhatIsNotTriedNow() {
    BackOff backOff = BackOff.first("refused", "a", 0);
    assertThat(backOff.why("a", 2 * MS))
        .matches("refused \\(failed 2 ms ago; not tried again for [0-3] ms\\)");
    assertThat(backOff.next("timed out", "b", 0, 2 * MS).why("a", 5 * MS))
        .startsWith("timed out (failed 3 ms ago at address=b; not tried again for ")
        .endsWith(" ms, then at address=a, which the directory says now)");
    assertThat(BackOff.first("the peer's link ended", null, 0).why("a", MS))
        .startsWith("the peer's link ended (failed 1 ms ago; not tried again for ")
        .doesNotContain("address=");
  }

  @Test
  void shouldLetAllWaitIfNobodyKnowsWhere() {
    BackOff backOff = BackOff.first("the peer's link ended", null, 0);
    assertThat(backOff.refuses("a", 1)).isTrue();
    assertThat(backOff.refuses("a", LATER)).isFalse();
  }

  /** A directory that says something else each time causes no more than a bounded number. */
  @Test
  void shouldNotTryWithoutRestWhateverADirectorySays() {
    assertThat(attemptsOf(call -> "always")).isBetween(10, 30);
    assertThat(attemptsOf(call -> "one of two: " + call % 2)).isBetween(20, 60);
    assertThat(attemptsOf(call -> "new: " + call)).isBetween(30, 90);
  }

  /** In ten seconds, in which somebody sends without rest and each attempt fails at once. */
  private static int attemptsOf(IntFunction<String> directory) {
    BackOff backOff = BackOff.first("refused", directory.apply(0), 0);
    int attempts = 1;
    int calls = 1;
    for (long now = 0; now < 10_000 * MS; now += MS) {
      String address = directory.apply(calls++);
      if (!backOff.refuses(address, now)) {
        backOff = backOff.next("refused", address, now, now);
        attempts++;
      }
    }
    return attempts;
  }
}
