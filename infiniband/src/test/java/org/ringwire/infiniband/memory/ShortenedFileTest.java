package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
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

  /** Uses until the compiler has compiled, and inlined, what copies. */
  private static final int COMPILED = 20_000;

  @TempDir private Path folder;

  @Test
  void shouldFailOnlyOperationsOnAFileThatBecameShorter() throws Exception {
    expectOneFailureEach(List.of(), 0);
  }

  /** There the JVM tells of it later than at the access. */
  @Test
  void shouldFailOnlyThoseInCompiledCodeToo() throws Exception {
    expectOneFailureEach(List.of("-XX:TieredStopAtLevel=4", "-Xbatch"), COMPILED);
  }

  private void expectOneFailureEach(List<String> options, int uses) throws Exception {
    String file = folder.resolve("shortened").toString();
    SimulatedLibrary library = SimulatedLibrary.compile(folder);
    assertThat(library.run(options, ShortenedFileProgram.class, file, String.valueOf(uses)))
        .contains(
            "write: java.lang.IllegalStateException: memory of an operation is gone", "next: good")
        .contains(
            "read: java.lang.IllegalStateException: memory of an operation is gone", "last: good");
  }

  /** Who is told by the owner's listener finds there all that was written. */
  @Test
  void shouldTellNobodyOfAWriteThatWasCutAndPostedAgain() throws Exception {
    String file = folder.resolve("shortened").toString();
    assertThat(SimulatedLibrary.compile(folder).run(CutWriteProgram.class, file).lines())
        .contains("before: REFUSED", "cut: gone", "told: [7]");
  }
}
