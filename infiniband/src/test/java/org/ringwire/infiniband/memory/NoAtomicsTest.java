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

/** One-sided access where devices cannot do all of it. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class NoAtomicsTest {

  @TempDir private Path folder;

  @Test
  void shouldWriteWhereDevicesHaveNoAtomics() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(NoAtomicsProgram.class)).contains("written");
  }
}
