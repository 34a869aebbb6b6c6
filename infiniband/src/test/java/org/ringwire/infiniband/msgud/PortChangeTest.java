package org.ringwire.infiniband.msgud;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;

/** A port that gets another address while links lead from it. */
@EnabledOnOs(OS.LINUX)
class PortChangeTest {

  @TempDir private Path folder;

  @Test
  void shouldMakeAHandleWithTheAddressOfThen() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(PortChangeProgram.class).lines())
        .contains("before: 0 of 1", "after: 3 of 2", "at the end: 3 of 0");
  }
}
