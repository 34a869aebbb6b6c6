package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** Else what an event is of could never end: its destruction waits for that in native code. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class EventWithoutHeapTest {

  @TempDir private Path folder;

  @Test
  void shouldAcknowledgeEachEventThatItHasTaken() throws Exception {
    List<String> little = List.of("-Xmx12m", "-XX:-UseTLAB", "-XX:-UseGCOverheadLimit");
    assertThat(SimulatedLibrary.compile(folder).run(little, EventWithoutHeapProgram.class).lines())
        .containsExactly("without heap: true", "not acknowledged: 0, lost: 0");
  }
}
