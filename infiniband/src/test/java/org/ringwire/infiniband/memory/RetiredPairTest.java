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

/** What a queue pair that serves nobody any more takes with it. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class RetiredPairTest {

  @TempDir private Path folder;

  @Test
  void shouldForgetNoQueuePairThatCannotBeDestroyedYetAndKeepNothingElse() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(RetiredPairProgram.class))
        .contains("kept: 1")
        .contains("after a poll: pairs=0 memory=[]")
        .contains("after the end: pairs=1 memory=[]");
  }

  /** It ended all operations on memory, and all that peers do with that of this node. */
  @Test
  void shouldGoOnWhenTheDeviceKeepsAQueuePairThatAPeerHasReplaced() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(KeptPairProgram.class))
        .contains("refused: REFUSED")
        .contains("goes on")
        .contains("left: 0")
        .doesNotContain("have failed");
  }

  @Test
  void shouldGetBackWhatItHasTakenOfTheRequestsThatAllShare() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(RetiredRequestProgram.class))
        .contains("stopped: pairs=1 posted=255")
        .contains("told: pairs=0 posted=256")
        .contains("silent: pairs=0");
  }
}
