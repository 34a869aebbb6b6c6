package org.ringwire.benchmarks.reference.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoresTest {
  @Test
  void shouldReadTheKernelsList() {
    assertThat(Cores.parse("0-2,5,8-9")).containsExactly(0, 1, 2, 5, 8, 9);
  }
}
