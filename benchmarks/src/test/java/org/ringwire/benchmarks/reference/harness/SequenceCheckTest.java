package org.ringwire.benchmarks.reference.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SequenceCheckTest {
  private final SequenceCheck check = new SequenceCheck(2, 8);

  private ReceiverReport after(int sender, long... sequences) {
    for (long sequence : sequences) {
      check.handle(new Sample(sequence, sender, Sample.pattern(8)));
    }
    return check.report(new ProcessUse(0, 0, 7));
  }

  @Test
  void shouldCountNothingWhenEverySenderIsInOrder() {
    after(0, 0, 1, 2);

    assertThat(after(1, 0, 1)).isEqualTo(new ReceiverReport(5, 0, 0, 0, 0, 0, 7));
  }

  @Test
  void shouldCountWhatIsMissing() {
    assertThat(after(0, 0, 3)).isEqualTo(new ReceiverReport(2, 2, 0, 0, 0, 0, 7));
  }

  @Test
  void shouldCountWhatComesTwice() {
    assertThat(after(0, 0, 1, 1)).isEqualTo(new ReceiverReport(3, 0, 1, 0, 0, 0, 7));
  }

  @Test
  void shouldCountWhatComesLate() {
    assertThat(after(0, 0, 2, 1)).isEqualTo(new ReceiverReport(3, 0, 0, 1, 0, 0, 7));
  }

  @Test
  void shouldRefuseOtherContent() {
    assertThatThrownBy(() -> check.handle(new Sample(0, 1, new byte[8])))
        .hasMessage("payload differs: sender=1, sequence=0");
  }
}
