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

/** Receive requests that the device has refused. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class RefusedReceivesTest {

  @TempDir private Path folder;

  /** Links that are made afterwards have nothing else to receive with. */
  @Test
  void shouldPostAgainWhatTheDeviceHasRefused() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(RefusedReceivesProgram.class))
        .contains("refused: ibv_post_srq_recv failed: errno=22 (EINVAL)")
        .contains("posted: 8");
  }
}
