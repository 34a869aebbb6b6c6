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

/** Operations that have no time limit though they need one. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class NoTimeLimitTest {

  @TempDir private Path folder;

  @Test
  void shouldBeRefusedByNameAndKeepNoMemoryInUse() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(NoTimeLimitProgram.class).lines())
        .containsExactly(
            "read: timeout must not be null",
            "write: timeout must not be null",
            "empty write: timeout must not be null",
            "notify: timeout must not be null",
            "add: timeout must not be null",
            "swap: timeout must not be null",
            "in use: 0");
  }
}
