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

/** A restart of the queue pair for datagrams that comes to no end is begun anew. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class RestartTest {

  private static final int READY_TO_RECEIVE = 2;
  private static final int READY_TO_SEND = 3;

  @TempDir private Path folder;

  @Test
  void shouldBeginAnewWhenItCouldNotReceive() throws Exception {
    assertBeginsAnew(READY_TO_RECEIVE);
  }

  @Test
  void shouldBeginAnewWhenItCouldReceiveAndNotSend() throws Exception {
    assertBeginsAnew(READY_TO_SEND);
  }

  /** What the device lacks others may give back. */
  @Test
  void shouldTryAgainWhenTheDeviceHasRefused() throws Exception {
    assertThat(
            SimulatedLibrary.compile(folder)
                .run(HinderedRestartProgram.class, "refused state", "" + READY_TO_RECEIVE))
        .contains("this is tried again each second")
        .contains("serves again");
  }

  /** One buffer never comes back: others would wait for it, and no link would come about again. */
  @Test
  void shouldNotWaitForEverForWhatTheDeviceDoesNotGiveBack() throws Exception {
    assertThat(
            SimulatedLibrary.compile(folder).run(HinderedRestartProgram.class, "lost flushes", "1"))
        .contains("serves again");
  }

  /** What is left in the queue would be taken for a failure of the first link that comes. */
  @Test
  void shouldBeginAnewWhenItCouldNotTakeWhatTheDeviceTellsOfRequestsBefore() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(FailedDrainProgram.class).lines())
        .containsExactly(
            "at first: refused",
            "still broken: true",
            "then: true",
            "posted: true",
            "outstanding: false",
            "failure: null");
  }

  private void assertBeginsAnew(int refused) throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(RestartProgram.class, "" + refused).lines())
        .containsExactly(
            "too early: false", "at first: refused", "then: true", "posted: true", "told of: 0");
  }
}
