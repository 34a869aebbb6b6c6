package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** What is registered and unused gives way: to the end of its arena, and to what will be used. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class UnusedRegionsTest {

  @TempDir private Path folder;

  @Test
  void shouldLetMemoryOfAnAutomaticArenaEnd() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(AutomaticArenaProgram.class).lines())
        .containsExactly("ended in use: false", "evicted: 0");
  }

  @Test
  void shouldMakeRoomBelowALimitOfTheSystem() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(CacheLimitProgram.class).lines())
        .containsExactly("used: 131072 of 131072", "refused: 12");
  }

  /** The memory of a ring is given back, and counted, when its region has ended or not. */
  @Test
  void shouldGoOnWhereADeviceDoesNotLetGo() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(KeptRegionsProgram.class).lines())
        .contains("ring ended: true open: 0", "registered: 2", "left: 0");
  }
}
