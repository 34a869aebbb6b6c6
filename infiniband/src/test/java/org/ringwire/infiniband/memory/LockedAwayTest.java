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

/** What operations have left registered, and nobody uses, is in nobody's way. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LockedAwayTest {

  @TempDir private Path folder;

  /** Also where two find that there is no room, and one of them makes it. */
  @Test
  void shouldMakeRoomForWhatIsExportedAndForTheFirstUseOfANode() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(LockedAwayProgram.class).lines())
        .containsSubsequence("exported: good", "used: good", "exported: good");
  }
}
