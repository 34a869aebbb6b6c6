package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.FullHeap;
import org.ringwire.testing.NodeWatcher;

/** What needed no heap for the first calls needs none for later ones. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class RepeatedCallsTest {

  @TempDir private Path folder;

  @Test
  void shouldNeedNoHeapHoweverOftenTheyAreMade() throws Exception {
    SimulatedLibrary library = SimulatedLibrary.compile(folder);
    assertThat(library.run(FullHeap.OPTIONS, RepeatedCallsProgram.class).lines())
        .contains("failed: []");
  }
}
