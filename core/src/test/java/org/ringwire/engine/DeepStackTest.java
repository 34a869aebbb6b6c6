package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** A thread whose stack ends anywhere while it sends costs a link at most, and not for ever. */
@ExtendWith(NodeWatcher.class)
class DeepStackTest {

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "shm"})
  void shouldGoOnAfterAThreadThatHadNoStackLeft(String transport) throws Exception {
    assertThat(
            JavaProgram.run(
                    DeepStackProgram.class,
                    "-Dtransport=" + transport,
                    "--enable-native-access=ALL-UNNAMED")
                .lines()
                .filter(line -> line.startsWith("before") || line.startsWith("after")))
        .hasSize(8)
        .allMatch(line -> line.endsWith("true"));
  }
}
