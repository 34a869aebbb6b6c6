package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class PreparedMemoryTest {

  @TempDir private Path folder;

  /** What is on the heap has no address that a device could use, and not even a constant one. */
  @Test
  void shouldRegisterNativeMemoryOnly() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(PreparedMemoryProgram.class).lines())
        .contains(
            "native: 1", "empty: 0", "heap: 0 only native memory can be prepared: length=99984");
  }
}
