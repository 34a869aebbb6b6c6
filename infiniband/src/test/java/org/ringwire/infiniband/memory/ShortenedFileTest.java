package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** A mapped file that somebody makes shorter costs the operations that use it, and no others. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class ShortenedFileTest {

  @TempDir private Path folder;

  @Test
  void shouldFailOnlyOperationsOnAFileThatBecameShorter() throws Exception {
    String file = folder.resolve("shortened").toString();
    assertThat(SimulatedLibrary.compile(folder).run(ShortenedFileProgram.class, file))
        .contains(
            "write: java.lang.IllegalStateException: memory of an operation is gone", "next: good")
        .contains(
            "read: java.lang.IllegalStateException: memory of an operation is gone", "last: good");
  }
}
