package org.ringwire.infiniband.memory;

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

/** The queue pair that a peer had before it asked anew is not forgotten for want of heap. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class ReplacedPairTest {

  @TempDir private Path folder;

  @Test
  void shouldForgetNoQueuePairThatThereIsNoHeapToRetire() throws Exception {
    assertThat(
            SimulatedLibrary.compile(folder)
                .run(FullHeap.OPTIONS, ReplacedPairProgram.class)
                .lines())
        .contains("without heap: true", "pairs=0 devices=0");
  }
}
