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

/** Remote memory that is closed where there is no heap lets go of the device when there is some. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class CloseWithoutHeapTest {

  @TempDir private Path folder;

  @Test
  void shouldLeaveNothingOpenAndLetNothingHappenLater() throws Exception {
    SimulatedLibrary library = SimulatedLibrary.compile(folder);
    assertThat(library.run(FullHeap.OPTIONS, CloseWithoutHeapProgram.class).lines())
        .contains("landed late: 0", "closed");
  }
}
