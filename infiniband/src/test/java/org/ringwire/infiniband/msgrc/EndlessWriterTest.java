package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** What becomes of who writes to a link that closes. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class EndlessWriterTest {

  @TempDir private Path folder;

  /** A link closes when everybody has left it; a chain of requests takes more, or never all. */
  @ParameterizedTest(name = "{0} bytes at a time, by a thread of the transport: {1}")
  @CsvSource({"100, false", "8000000, true"})
  void shouldCloseThoughSomebodyHasAlwaysMoreToWrite(String offer, String resumes)
      throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(EndlessWriterProgram.class, offer, resumes))
        .contains("closed: true");
  }
}
