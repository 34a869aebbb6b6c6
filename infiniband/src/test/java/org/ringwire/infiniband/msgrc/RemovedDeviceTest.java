package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** A device that is removed costs its links, those to come as well, and no time of threads. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class RemovedDeviceTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"msgrc", "msgud"})
  void shouldWaitForNothingOfADeviceThatIsGone(String engine) throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(RemovedDeviceProgram.class, engine))
        .contains("at rest")
        .containsPattern("next: .*device failed") // before the connect, or after it
        .containsPattern(engine.equals("msgrc") ? "link: .*device failed" : "");
  }
}
