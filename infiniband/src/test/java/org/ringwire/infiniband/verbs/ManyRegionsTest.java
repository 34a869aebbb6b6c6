package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** What registering memory costs where much is registered already. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class ManyRegionsTest {

  @TempDir private Path folder;
  private String told;

  @BeforeEach
  void run() throws Exception {
    told = SimulatedLibrary.compile(folder).run(ManyRegionsProgram.class);
  }

  @Test
  void shouldNotGoThroughAllThatIsRegisteredForWhatIsNew() {
    assertThat(told).containsPattern("heap: \\d{1,4}\\b");
  }

  @Test
  void shouldFindMemoryThatHasEndedAmongOthers() {
    assertThat(told).containsPattern("found dead after: [1-9]\\d?\\b");
  }
}
