package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** A node that is closed where a stack ends does not stay half closed. */
@ExtendWith(NodeWatcher.class)
class DeepCloseTest {

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "shm", "tcp"})
  void shouldCloseWhereTheStackEnds(String transport) throws Exception {
    assertThat(
            JavaProgram.run(
                    DeepCloseProgram.class,
                    "-Dtransport=" + transport,
                    "--enable-native-access=ALL-UNNAMED")
                .lines()
                .filter(line -> line.startsWith("ended")))
        .hasSize(8)
        .allMatch(line -> line.endsWith("true"));
  }

  /** It says so, too; of frames that are all as long, one after the other. */
  @Test
  void shouldReturnIfAnotherThreadCloses() throws Exception {
    assertThat(
            JavaProgram.run(
                DeepCloseOnceProgram.class, "-Xint", "--enable-native-access=ALL-UNNAMED"))
        .contains("returned: true");
  }

  /** Though a handler does not wait for the end of it. */
  @Test
  void shouldHaveBegunWhenItReturnsToAHandler() throws Exception {
    assertThat(
            JavaProgram.run(
                DeepHandlerProgram.class, "-Xint", "--enable-native-access=ALL-UNNAMED"))
        .contains("closing: true");
  }
}
