package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;

/** What comes whole is handled where it lies; of what is cut the receiver makes a copy. */
@EnabledOnOs(OS.LINUX)
class WholeFramesTest {

  @TempDir private Path folder;

  @Test
  void shouldSendAMessageOf64KibInOneRequest() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(WholeFramesProgram.class))
        .contains("best: 69632", "one request each: true");
  }
}
