package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** Operations over a device whose queue pairs are shorter than is configured. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class FewRequestsTest {

  @TempDir private Path folder;

  @Test
  void shouldWriteMorePiecesThanTheDeviceTakesRequests() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(FewRequestsProgram.class))
        .contains("written: true");
  }

  /** None of those that it has taken would tell of its end. */
  @Test
  void shouldEndAnOperationOfWhichTheDeviceTakesLessThanItHasGranted() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(RefusedRequestsProgram.class, "4"))
        .containsPattern("ended: .*it may have been carried out");
  }

  @Test
  void shouldEndAnOperationOfWhichTheDeviceTakesNothing() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(RefusedRequestsProgram.class, "0"))
        .containsPattern("ended: .*it may have been carried out");
  }
}
