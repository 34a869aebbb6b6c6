package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.InitialisedClasses;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** What a node has left to initialise when it is open. */
@ExtendWith(NodeWatcher.class)
class FirstUseTest {

  /** A class that is initialised for the first time while there is no heap is lost for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "tls", "shm", "loopback"})
  void shouldInitialiseNoClassOfItsOwnForTheFirstPeer(String transport) throws Exception {
    assertThat(InitialisedClasses.between("opened", "closed", run(transport)))
        .noneMatch(name -> !name.startsWith("org/ringwire/engine/FirstUseProgram"));
  }

  /** The first to write from two places may be a thread whose stack ends there, for all others. */
  @Test
  void shouldInitialiseWhatTheJdkGathersWith() throws Exception {
    String output = run("tcp");
    assertThat(output.substring(0, output.indexOf("\nopened"))).contains("sun/nio/ch/IOVecWrapper");
  }

  private static String run(String transport) throws Exception {
    return JavaProgram.run(
        FirstUseProgram.class,
        "-Dtransport=" + transport,
        "-Xlog:class+init=info",
        "--enable-native-access=ALL-UNNAMED");
  }
}
