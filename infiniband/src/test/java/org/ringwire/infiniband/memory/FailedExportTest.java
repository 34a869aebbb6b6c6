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

/** Memory whose export has failed is nobody's but its owner's. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class FailedExportTest {

  @TempDir private Path folder;

  @Test
  void shouldLeaveNothingOpenToPeersWhereThereIsNoHeapForAnExport() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(FailedExportProgram.class).lines())
        .contains("left: 0", "next: 65536", "devices: 0");
  }
}
