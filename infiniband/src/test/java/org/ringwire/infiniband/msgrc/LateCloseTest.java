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

/** A transport that is closed keeps nothing of the device for good, whoever is inside. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LateCloseTest {

  @TempDir private Path folder;

  @Test
  void shouldLetGoOfTheDeviceWhenAHandlerReturnsAtLast() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(LateCloseProgram.class))
        .contains("told: true", "open: 1", "queue pairs: 0");
  }
}
