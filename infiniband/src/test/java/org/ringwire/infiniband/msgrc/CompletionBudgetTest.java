package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class CompletionBudgetTest {

  @Test
  void shouldNeverGiveMoreThanThereIs() {
    CompletionBudget budget = new CompletionBudget(10, 8);
    assertThat(budget.isWhole()).isTrue();
    assertThat(budget.take(7)).isEqualTo(7);
    assertThat(budget.take(7)).isEqualTo(3);
    assertThat(budget.take(1)).isZero();
    assertThat(budget.outstanding()).isEqualTo(10);
    budget.give(2);
    assertThat(budget.take(5)).isEqualTo(2);
    budget.give(10);
    assertThat(budget.isWhole()).isTrue();
  }

  @Test
  void shouldCountWhatIsToSpare() {
    CompletionBudget budget = new CompletionBudget(1, 8);
    assertThat(budget.takeOne()).isTrue();
    assertThat(budget.takeOne()).isTrue();
    assertThat(budget.take(1)).isZero();
    budget.give(1);
    assertThat(budget.take(1)).isZero();
    budget.give(1);
    assertThat(budget.take(1)).isEqualTo(1);
  }

  /** Farewells of any number of links at once leave entries for what else links say. */
  @Test
  void shouldHaveNoMoreToSpareThanTheQueueHolds() {
    CompletionBudget budget = new CompletionBudget(10, 8);
    assertThat(budget.take(10)).isEqualTo(10);
    int farewells = 0;
    while (budget.hasSpare() && farewells < 100) {
      assertThat(budget.takeOne()).isTrue();
      farewells++;
    }
    assertThat(farewells).isEqualTo(4);
    budget.give(1);
    assertThat(budget.hasSpare()).isTrue();
  }

  /** A completion queue that overflows ends all links. */
  @Test
  void shouldLetNoMoreLinksOpenAtOnceThanTheQueueHolds() {
    CompletionBudget budget = new CompletionBudget(10, 2);
    assertThat(budget.take(10)).isEqualTo(10);
    assertThat(budget.takeOne()).isTrue();
    assertThat(budget.takeOne()).isTrue();
    assertThat(budget.takeOne()).isFalse();
    assertThat(budget.outstanding()).isEqualTo(12);
    budget.give(1);
    assertThat(budget.takeOne()).isTrue();
  }

  /** The peers of others may take nothing any more. */
  @Test
  void shouldLeaveSomeToEachLinkHoweverManyTakeTheirShare() {
    CompletionBudget budget = new CompletionBudget(60, 8);
    assertThat(budget.take(budget.share(0))).isEqualTo(30);
    assertThat(budget.share(30)).isZero();
    assertThat(budget.take(budget.share(0))).isEqualTo(15);
    assertThat(budget.take(budget.share(0))).isEqualTo(8);
    assertThat(budget.take(budget.share(2))).isEqualTo(3);
    assertThat(budget.take(budget.share(0))).isEqualTo(2);
    budget.give(15);
    assertThat(budget.share(15)).isEqualTo(1);
  }

  @Test
  void shouldLetLinkThatHasNothingOutstandingPostTheLast() {
    CompletionBudget budget = new CompletionBudget(3, 8);
    assertThat(budget.take(2)).isEqualTo(2);
    assertThat(budget.share(1)).isZero();
    assertThat(budget.share(0)).isEqualTo(1);
    assertThat(budget.take(1)).isEqualTo(1);
    assertThat(budget.share(0)).isZero();
    assertThat(budget.takeOne()).isTrue();
    assertThat(budget.share(0)).isZero();
  }
}
