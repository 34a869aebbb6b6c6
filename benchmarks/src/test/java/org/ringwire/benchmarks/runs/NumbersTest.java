package org.ringwire.benchmarks.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumbersTest {

  @Test
  void shouldTakeTheMeanOfTheTwoInTheMiddle() {
    double[] values = {4, 1, 3, 2};
    assertThat(Numbers.median(values)).isEqualTo(2.5);
    assertThat(values).as("as they were").containsExactly(4, 1, 3, 2);
    assertThat(Numbers.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
  }
}
