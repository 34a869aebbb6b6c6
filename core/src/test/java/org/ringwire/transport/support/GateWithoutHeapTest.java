package org.ringwire.transport.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.FullHeap;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** Links begin to end where there is no heap, too: what comes later would follow on a gap. */
@ExtendWith(NodeWatcher.class)
class GateWithoutHeapTest {

  @Test
  void shouldCloseForTheFirstTimeInAProcessWithoutHeap() throws Exception {
    assertThat(JavaProgram.run(FullHeapGateProgram.class, FullHeap.OPTIONS.toArray(String[]::new)))
        .contains("closed: true lacking: false");
  }
}
