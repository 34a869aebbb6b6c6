package org.ringwire.infiniband.msgud;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** As with the other engine: a transport that is closed keeps nothing of the device for good. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LateLeaveTest {

  @TempDir private Path folder;

  @Test
  void shouldLetGoOfTheDeviceWhenTheLastHasLeft() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(LateLeaveProgram.class).lines())
        .contains("inside: true", "told: true", "open: 1");
  }
}
