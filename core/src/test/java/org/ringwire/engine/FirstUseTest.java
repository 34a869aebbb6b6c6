package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** What a node has left to initialise when it is open. */
@ExtendWith(NodeWatcher.class)
class FirstUseTest {

  /** As the JVM logs a class that has something to initialise. */
  private static final Pattern INITIALISED =
      Pattern.compile("Initializing '(org/ringwire/[^']*)' \\(0x");

  /** A class that is initialised for the first time while there is no heap is lost for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm", "loopback"})
  void shouldInitialiseNoClassOfItsOwnForTheFirstPeer(String transport) throws Exception {
    String output =
        JavaProgram.run(
            FirstUseProgram.class,
            "-Dtransport=" + transport,
            "-Xlog:class+init=info",
            "--enable-native-access=ALL-UNNAMED");
    List<String> lines = output.lines().toList();
    int opened = lines.indexOf("opened");
    int closed = lines.indexOf("closed");
    assertThat(opened).as(output).isNotNegative();
    assertThat(closed).as(output).isGreaterThan(opened);
    assertThat(
            lines.subList(opened, closed).stream()
                .flatMap(line -> INITIALISED.matcher(line).results())
                .map(result -> result.group(1)))
        .noneMatch(name -> !name.startsWith("org/ringwire/engine/FirstUseProgram"));
  }
}
