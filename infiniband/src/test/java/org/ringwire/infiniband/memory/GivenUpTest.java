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

/** Operations whose time is over when a part of them is done. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class GivenUpTest {

  @TempDir private Path folder;

  @Test
  void shouldLeaveNothingOfThemBehind() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(GivenUpProgram.class))
        .contains("given up: some")
        .contains("as many notices as writes");
  }
}
