package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** A receiver that has less memory than its window, and a sender that has less than an image. */
@ExtendWith(NodeWatcher.class)
class PoorReceiverTest {

  @Test
  void shouldLoseTheGraphForWhichThereIsNoMemoryAndNoPartOfIt() throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("G1", true, false));
    options.add(PoorProgram.LIMIT);

    OtherJvm.Outcome outcome = OtherJvm.run(options, PoorProgram.class);

    assertThat(outcome.output())
        .containsPattern("wrote: .*GraphLostException: .*no memory for what")
        .containsPattern("read: .*GraphLostException: .*no memory for what")
        .contains("next: Circle[radius=1.0]");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void shouldRefuseAnImageForWhichThereIsNoMemoryAndNothingElse() throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("Serial", true, false));
    options.add(PoorSenderProgram.LIMIT);

    OtherJvm.Outcome outcome = OtherJvm.run(options, PoorSenderProgram.class);

    assertThat(outcome.output()).contains("OK");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void shouldAnnounceWhatMemoryThereIs() throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("G1", true, false));
    options.add(PoorCarrierProgram.LIMIT);

    OtherJvm.Outcome outcome = OtherJvm.run(options, PoorCarrierProgram.class);

    assertThat(outcome.output()).contains("OK");
    assertThat(outcome.status()).isZero();
  }
}
