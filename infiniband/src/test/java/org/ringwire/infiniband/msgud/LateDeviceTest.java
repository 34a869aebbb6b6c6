package org.ringwire.infiniband.msgud;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** Links that end while the device is late. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LateDeviceTest {

  @TempDir private Path folder;

  /** All links share the memory that they copy into. */
  @Test
  void shouldGetBackWhatTheyHaveCopiedIntoWhenTheDeviceBeginsAnew() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(LateDeviceProgram.class).lines())
        .containsExactly("written: 300", "exhausted: false");
  }
}
