package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** What becomes of links whose write fails half way, or whose completions cannot be had. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class FailedRequestTest {

  @TempDir private Path folder;

  /** Its ring may be freed then. */
  @Test
  void shouldTellOfTheEndWhenTheDeviceHasNothingOfAWriteThatFailedHalfWay() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(FailedRequestProgram.class))
        .containsPattern("closed: .*pairs=[01]\\b");
  }

  /** By chance it is this or that thread which finds a queue of all links failed. */
  @Test
  void shouldEndAllLinksWhoeverFindsThatNothingCanBePolled() throws Exception {
    String told = SimulatedLibrary.compile(folder).run(FailedPollProgram.class);
    for (String poller : new String[] {"leader", "receive thread", "writer", "send thread"}) {
      assertThat(told)
          .containsPattern(poller + ": link: .*ibv_poll_cq failed")
          .containsPattern(poller + ": next: .*the transport has failed: .*ibv_poll_cq failed");
    }
  }
}
