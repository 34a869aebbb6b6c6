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

/** What all links share of the memory to send from. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class SharedChunksTest {

  @TempDir private Path folder;

  /** Its credit and its signs of life need some, too. */
  @Test
  void shouldLeaveSomeToALinkThoughOthersHaveAlwaysMoreToSend() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(SharedChunksProgram.class))
        .contains("little: true");
  }

  /** Who hears nothing of a node for some seconds takes it for dead. */
  @Test
  void shouldLeaveSomeToLinksToOthersThoughAPeerAcknowledgesNothingAnyMore() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(SilentPeerProgram.class))
        .contains("while one is silent: true");
  }
}
