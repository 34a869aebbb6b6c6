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

/** A device that takes fewer requests of a link than it has granted. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class PartlyTakenTest {

  @TempDir private Path folder;

  /** Nothing may tell of the end of what it has taken: its writer would wait for ever. */
  @Test
  void shouldEndALinkOfWhichTheDeviceTakesLessThanItHasGranted() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(PartlyTakenProgram.class))
        .containsPattern("refused: .*fewer requests than it has granted: taken=3 .*sendRequests")
        .contains("left: 4") // what the device has taken goes out, and is known to be sent
        .containsPattern("heard: .*fewer requests than it has granted");
  }
}
