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

/** Links that are made while the send queue of all is full. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class FullSendQueueTest {

  @TempDir private Path folder;

  @Test
  void shouldSayLaterThatALinkIsReady() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(FullSendQueueProgram.class).lines())
        .contains("with room: true", "without room: false");
  }
}
