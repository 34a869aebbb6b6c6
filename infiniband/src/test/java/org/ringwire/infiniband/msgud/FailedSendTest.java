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

/** What becomes of a queue pair for datagrams that an adapter lets receive, and not send. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class FailedSendTest {

  @TempDir private Path folder;

  @Test
  void shouldFindThatNothingGoesOutWhenNothingIsAcknowledged() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(FailedSendProgram.class))
        .containsPattern("found: .*LOC_PROT_ERR")
        .contains("serves again");
  }

  /** Who finds it keeps nobody else from sending: all links end, and the next ones begin. */
  @Test
  void shouldServeAgainWhenNobodyCouldTellWhatWasSent() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(FailedSendProgram.class, "polls"))
        .containsPattern("found: the queue pair for datagrams has failed: ibv_poll_cq failed")
        .contains("serves again");
  }
}
