package org.ringwire.infiniband.msgud;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** A port that gets another address while links lead from it, and ports of several kinds. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class PortChangeTest {

  @TempDir private static Path folder;
  private static List<String> lines = List.of();

  @BeforeAll
  static void run() throws Exception {
    lines = SimulatedLibrary.compile(folder).run(PortChangeProgram.class).lines().toList();
  }

  @Test
  void shouldMakeAHandleWithTheAddressOfThen() {
    assertThat(lines).contains("before: 0 of 1", "after: 3 of 2", "at the end: 3 of 0");
  }

  /** Without it nothing of what is sent would leave the port. */
  @Test
  void shouldSendWithAGlobalRouteWhereThePortRequiresIt() {
    assertThat(lines)
        .contains(
            "route of Ethernet: 1",
            "route of InfiniBand: 0",
            "route of InfiniBand that requires it: 1");
  }
}
