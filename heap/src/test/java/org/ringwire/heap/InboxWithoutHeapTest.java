package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.heap.channel.inbound.NoHeapInboxProgram;
import org.ringwire.testing.NodeWatcher;

/** A receiver that has no heap for a moment has its lock and its room again when there is some. */
@ExtendWith(NodeWatcher.class)
class InboxWithoutHeapTest {

  @ParameterizedTest
  @CsvSource({
    "unlock, locked: false revoked: 20",
    "end, lost: true and true told: true",
    "store, stored: true room: 0",
    "discard, room: 0"
  })
  void shouldLoseNothingButWhatThereWasNoHeapFor(String when, String result) throws Exception {
    List<String> options = new ArrayList<>(OtherJvm.options("Serial", true, false));
    options.add("-Xmx24m");

    OtherJvm.Outcome outcome = OtherJvm.run(options, NoHeapInboxProgram.class, when);

    assertThat(outcome.output()).contains(result);
    assertThat(outcome.status()).isZero();
  }
}
