package org.ringwire.infiniband.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.infiniband.simulated.SimulatedLibrary;

/** What a node over ib has left to initialise when it is open. */
@EnabledOnOs(OS.LINUX)
class FirstUseTest {

  /** As the JVM logs a class that has something to initialise. */
  private static final Pattern INITIALISED =
      Pattern.compile("Initializing '(org/ringwire/[^']*)' \\(0x");

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
    List<String> lines = output.lines().toList();
    int opened = lines.indexOf("opened");
    int closed = lines.indexOf("closed");
    assertThat(opened).as(output).isNotNegative();
    assertThat(closed).as(output).isGreaterThan(opened);
    assertThat(
            lines.subList(opened, closed).stream()
                .flatMap(line -> INITIALISED.matcher(line).results())
                .map(result -> result.group(1)))
        .noneMatch(name -> !name.contains("FirstUseProgram"));
  }
}
