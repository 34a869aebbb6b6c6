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

/** A queue pair that no operation can be posted to is kept until it could be closed. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class UnreadyPairTest {

  @TempDir private Path folder;

  @Test
  void shouldForgetNoQueuePairThatCannotBeClosedYet() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(UnreadyPairProgram.class))
        .contains("not connected: UNREACHABLE")
        .containsPattern("closed meanwhile: .*was closed")
        .contains("after that: pairs=0 devices=0")
        .contains("not admitted: UNREACHABLE")
        .contains("after the end: pairs=0 devices=0");
  }

  @Test
  void shouldForgetNoQueuePairForAPeerThatCannotBeClosedYet() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(UnservingPairProgram.class))
        .containsPattern("refused: .*as if there was no way")
        .contains("meanwhile: pairs=1")
        .contains("after the end: pairs=0 devices=0");
  }
}
