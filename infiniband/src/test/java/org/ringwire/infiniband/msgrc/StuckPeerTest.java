package org.ringwire.infiniband.msgrc;

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
class StuckPeerTest {

  @TempDir private Path folder;

  @Test
  void shouldHaveMemoryForLongMessagesToOthersThoughAPeerTakesNothing() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(StuckPeerProgram.class, "65536", "1048576"))
        .contains("while one is stuck: true");
  }

  /** Their signs of life, for instance; many stuck peers are as much for a large device. */
  @Test
  void shouldHaveRequestsForOthersThoughAPeerTakesNothing() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(StuckPeerProgram.class, "64", "200"))
        .contains("while one is stuck: true");
  }
}
