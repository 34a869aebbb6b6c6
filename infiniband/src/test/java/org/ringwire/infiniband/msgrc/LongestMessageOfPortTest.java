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

/** Requests are no longer than the port allows, whatever the peer takes. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LongestMessageOfPortTest {

  @TempDir private Path folder;

  @Test
  void shouldPostNothingLongerThanThePortAllows() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(LongestMessageOfPortProgram.class))
        .contains("arrived: all");
  }
}
