package org.ringwire.infiniband.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.InitialisedClasses;
import org.ringwire.testing.NodeWatcher;

/** What a node over ib has left to initialise when it is open. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class FirstUseTest {

  @TempDir private Path folder;

  /** A class that is initialised for the first time while there is no heap is lost for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"msgrc", "msgud"})
  void shouldInitialiseNoClassOfItsOwnForTheFirstPeer(String engine) throws Exception {
    String output =
        SimulatedLibrary.compile(folder)
            .run(
                List.of("-Xmx256m", "-Xlog:class+init=info", "-Dringwire.ib.engine=" + engine),
                FirstUseProgram.class);
    assertThat(InitialisedClasses.between("opened", "closed", output))
        .noneMatch(name -> !name.contains("FirstUseProgram"));
  }
}
