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

/** A node whose packets are to be shorter than its port, and those of others, can have them. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class ShorterPacketsTest {

  @TempDir private Path folder;

  /** And goes on with links though somebody sends what its port can take, and it did not want. */
  @Test
  void shouldTalkToOthersWhateverStrangersSend() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(ShorterPacketsProgram.class).lines())
        .containsExactly("before: true", "after: true");
  }
}
