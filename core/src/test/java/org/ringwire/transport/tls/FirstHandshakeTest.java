package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** What the first handshake with a peer has left to do. */
@ExtendWith(NodeWatcher.class)
class FirstHandshakeTest {

  @TempDir private Path folder;

  /** It has a deadline, and a machine that starts many processes is slow. */
  @Test
  void shouldHaveLoadedItsClassesBefore() throws Exception {
    String output = JavaProgram.run(FirstHandshakeProgram.class, "-Dfolder=" + folder);
    int at = output.indexOf("loaded: ");
    assertThat(at).as(output).isNotNegative();
    assertThat(Integer.parseInt(output.substring(at + "loaded: ".length()).strip()))
        .isLessThan(200);
  }

  /** These properties are of connections of the application to others, such as old servers. */
  @Test
  void shouldSucceedWhateverVersionTheJvmIsToldToUseByDefault() throws Exception {
    String output =
        JavaProgram.run(
            FirstHandshakeProgram.class,
            "-Dfolder=" + folder,
            "-Djdk.tls.client.protocols=TLSv1.2",
            "-Djdk.tls.server.protocols=TLSv1.2");
    assertThat(output).contains("loaded: ");
  }
}
