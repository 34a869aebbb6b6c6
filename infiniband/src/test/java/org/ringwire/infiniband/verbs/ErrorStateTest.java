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

/**
 * A queue pair that is not stopped goes on to use memory that its user frees, and the receive
 * requests that it has taken are lost to all when it is destroyed.
 */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class ErrorStateTest {

  @TempDir private Path folder;

  @Test
  void shouldNeedNoHeap() throws Exception {
    SimulatedLibrary library = SimulatedLibrary.compile(folder);
    assertThat(library.run(FullHeap.OPTIONS, ErrorStateProgram.class).lines())
        .containsExactly("stopped: 10, thrown: 0");
  }
}
