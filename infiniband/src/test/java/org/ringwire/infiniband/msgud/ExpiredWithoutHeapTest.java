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

/** A thread without heap forgets no link for which it is time to send again. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class ExpiredWithoutHeapTest {

  @TempDir private Path folder;

  @Test
  void shouldSendAgainOnAllLinksWhenThereIsHeapAgain() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(ExpiredWithoutHeapProgram.class))
        .contains("arrived: 8");
  }
}
