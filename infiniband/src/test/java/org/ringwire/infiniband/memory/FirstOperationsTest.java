package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.InitialisedClasses;
import org.ringwire.testing.NodeWatcher;

/** What remote memory has left to initialise when there is some. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class FirstOperationsTest {

  @TempDir private Path folder;

  /**
   * A class that is initialised for the first time while there is no heap is lost for ever; but for
   * a codec, which is hidden and made anew then.
   */
  @Test
  void shouldInitialiseNoClassOfItsOwnForTheFirstOperations() throws Exception {
    String output =
        SimulatedLibrary.compile(folder)
            .run(List.of("-Xmx256m", "-Xlog:class+init=info"), FirstOperationsProgram.class);
    assertThat(InitialisedClasses.between("opened", "closed", output))
        .filteredOn(name -> !name.startsWith("org/ringwire/testing/") && !name.contains("+0x"))
        .isEmpty();
  }
}
