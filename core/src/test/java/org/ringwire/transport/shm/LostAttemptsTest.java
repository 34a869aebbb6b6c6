package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.FullHeap;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** Attempts to connect for which there is no heap somewhere on the way. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LostAttemptsTest {

  @TempDir private Path folder;

  @Test
  void shouldLeaveNoDescriptorBehind() throws Exception {
    List<String> options = new ArrayList<>(FullHeap.OPTIONS);
    options.add("-Dsocket=" + folder.resolve("socket"));
    assertThat(JavaProgram.run(LostAttemptsProgram.class, options.toArray(String[]::new)).lines())
        .containsExactly("begun: true", "left: none");
  }
}
