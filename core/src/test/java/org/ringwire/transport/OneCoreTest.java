package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

/**
 * What transports promise, where they have one core: threads then offer it before they park ({@link
 * org.ringwire.idle.WaitingPlace}).
 */
@ExtendWith(NodeWatcher.class)
class OneCoreTest {

  @Test
  void shouldKeepWhatTransportsPromiseOnOneCore() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ActiveProcessorCount=1",
                "-Xmx256m",
                "-cp",
                Sources.classPath(),
                OneCoreProgram.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      List<String> words = List.of(text.strip().lines().toList().getLast().split(" of ", -1));
      assertThat(process.waitFor()).as(text).isZero();
      assertThat(words).as(text).hasSize(2);
      assertThat(Integer.parseInt(words.getFirst())).as(text).isGreaterThan(40);
      assertThat(words.getFirst()).as(text).isEqualTo(words.getLast());
    } finally {
      process.destroyForcibly();
    }
  }
}
