package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;

/** What operations have left registered, and nobody uses, is in nobody's way. */
@EnabledOnOs(OS.LINUX)
class LockedAwayTest {

  @TempDir private Path folder;

  @Test
  void shouldMakeRoomForWhatIsExportedAndForTheFirstUseOfANode() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(LockedAwayProgram.class).lines())
        .contains("exported: good", "used: good");
  }
}
