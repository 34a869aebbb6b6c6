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

/** Who writes more than one chain of requests is not stopped after each if there is room. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LongOfferTest {

  @TempDir private Path folder;

  @Test
  void shouldGoOnWithTheNextChainWhereTheDeviceHasRoom() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(LongOfferProgram.class).lines())
        .contains("waited: seldom", "arrived: 67108864");
  }
}
