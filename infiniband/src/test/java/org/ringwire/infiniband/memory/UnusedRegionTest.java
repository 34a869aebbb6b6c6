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

/** Descriptors that nobody uses cost no registered memory. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class UnusedRegionTest {

  @TempDir private Path folder;

  @Test
  void shouldRegisterMemoryForNodesWhoseMemoryIsUsedOnly() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(UnusedRegionProgram.class).lines())
        .contains(
            "for descriptors: 0",
            "not locked: UNREACHABLE ibv_reg_mr",
            "failed: UNREACHABLE",
            "of one thread, not locked: UNREACHABLE ibv_reg_mr",
            "for use: 262144",
            "closed: CLOSED",
            "of one thread, closed: CLOSED");
  }
}
