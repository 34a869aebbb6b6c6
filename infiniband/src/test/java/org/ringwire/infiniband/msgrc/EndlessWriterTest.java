package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;

/** What becomes of who writes to a link that closes. */
@EnabledOnOs(OS.LINUX)
class EndlessWriterTest {

  @TempDir private Path folder;

  /** A link closes when everybody has left it. */
  @Test
  void shouldCloseThoughSomebodyHasAlwaysMoreToWrite() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(EndlessWriterProgram.class))
        .contains("closed: true");
  }
}
