package org.ringwire.tools.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PinningTest {

  @Test
  void shouldPutSenderAndReceiverOnTheCoresAskedFor() {
    assertThat(Pinning.NONE.sender()).isEmpty();
    assertThat(Pinning.NONE.receiver()).isEmpty();
    assertThat(Pinning.ONE.sender()).isEqualTo(List.of("taskset", "-c", "0"));
    assertThat(Pinning.ONE.receiver()).isEqualTo(List.of("taskset", "-c", "0"));
    assertThat(Pinning.TWO.sender()).isEqualTo(List.of("taskset", "-c", "0"));
    assertThat(Pinning.TWO.receiver()).isEqualTo(List.of("taskset", "-c", "1"));
  }
}
