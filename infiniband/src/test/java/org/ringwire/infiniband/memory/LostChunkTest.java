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

/** A thread whose stack ends costs what it does; what is spoilt of one node costs no other one. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LostChunkTest {

  @TempDir private Path folder;

  @Test
  void shouldLoseNoChunkWhereTheStackOfAThreadEnds() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(LostChunkProgram.class).lines())
        .contains("goes on: true");
  }

  @Test
  void shouldEndNoOperationsOnOtherNodesIfThoseOnOneFail() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(OneInitiatorProgram.class))
        .contains("other: good", "anew: good", "devices: 0")
        .containsPattern("spoilt: .*has failed: java.lang.ArrayIndexOutOfBoundsException");
  }
}
