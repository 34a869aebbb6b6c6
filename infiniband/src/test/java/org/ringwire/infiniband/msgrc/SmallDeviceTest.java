package org.ringwire.infiniband.msgrc;

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

/** Devices with little room, or without something. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class SmallDeviceTest {

  @TempDir private static Path folder;
  private static List<String> lines = List.of();

  @BeforeAll
  static void run() throws Exception {
    lines = SimulatedLibrary.compile(folder).run(SmallDeviceProgram.class).lines().toList();
  }

  /** A completion queue that overflows ends all links. */
  @Test
  void shouldPostNoMoreThanMayArrive() {
    assertThat(lines).contains("all may arrive: true");
  }

  @Test
  void shouldCopyAsMuchIntoRequestsAfterAQueuePairWasNotToBeHad() {
    assertThat(lines).contains("inline: true");
  }

  @Test
  void shouldSayWhatADeviceWithoutSharedQueuesLacks() {
    assertThat(lines)
        .contains(
            "adapter: device simulated0 has no shared receive queues, needed by the engine msgrc:"
                + " set -Dringwire.ib.engine=msgud, the same for all nodes",
            "memory: device simulated0 has no shared receive queues, needed by remote memory",
            "devices: 0");
  }
}
