package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.FullHeap;
import org.ringwire.testing.NodeWatcher;

/** What was lost for want of heap is the end of what a link hands over. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class FailureWithoutHeapTest {

  @TempDir private Path folder;

  /** Else what follows would be taken for what was lost, by who puts messages together. */
  @Test
  void shouldHandOverNothingAfterAFailureThatComesWhileThereIsNoHeap() throws Exception {
    String output =
        SimulatedLibrary.compile(folder).run(FullHeap.OPTIONS, FailureWithoutHeapProgram.class);
    assertThat(output).contains("closing: true", "cause: bytes were lost", "handed over: false");
  }
}
