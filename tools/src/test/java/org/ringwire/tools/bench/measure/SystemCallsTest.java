package org.ringwire.tools.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SystemCallsTest {

  @Test
  void shouldReadTheCountersOfTheKernel() {
    SystemCalls calls =
        SystemCalls.parse(
            List.of("rchar: 4292", "wchar: 11", "syscr: 13", "syscw: 7", "read_bytes: 0"));

    assertThat(calls).isEqualTo(new SystemCalls(13, 7));
    assertThat(SystemCalls.parse(List.of("rchar: 4292"))).isNull();
    assertThat(SystemCalls.sum(calls, new SystemCalls(2, 1))).isEqualTo(new SystemCalls(15, 8));
    assertThat(SystemCalls.sum(calls, null)).isNull();
  }
}
