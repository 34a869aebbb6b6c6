package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompletionBudgetTest {

  @Test
  void shouldNeverGiveMoreThanThereIs() {
    CompletionBudget budget = new CompletionBudget(10);
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
  void shouldCountWhatIsTakenInAnyCase() {
    CompletionBudget budget = new CompletionBudget(1);
    budget.takeOne();
    budget.takeOne();
    assertThat(budget.take(1)).isZero();
    budget.give(1);
    assertThat(budget.take(1)).isZero();
    budget.give(1);
    assertThat(budget.take(1)).isEqualTo(1);
  }
}
