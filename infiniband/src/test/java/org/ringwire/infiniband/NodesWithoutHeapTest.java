package org.ringwire.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** All that nodes over {@code ib} do with each other, where there is no heap for a while. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class NodesWithoutHeapTest {

  private static final List<String> OPTIONS =
      List.of(
          "-Xmx24m",
          "-XX:-UseTLAB", // which would have room left
          "-XX:-UseGCOverheadLimit",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
  private static final List<String> USES =
      List.of("request", "long request", "write", "read", "add", "add later", "graph");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"msgrc", "msgud"})
  void shouldGoOnAndLeaveNothingToTheDevice(String engine) throws Exception {
    String output =
        SimulatedLibrary.compile(folder).run(OPTIONS, NodesWithoutHeapProgram.class, engine);
    assertThat(output).doesNotContain("hangs").doesNotContain("in thread \"ringwire");
    for (String use : USES) {
      assertThat(output).contains("\n" + use + " after: true");
    }
    assertThat(output).contains("broken rules: 0", "corrupted: 0");
    assertThat(output).contains("regions: 0", "pairs: 0", "devices: 0");
  }
}
