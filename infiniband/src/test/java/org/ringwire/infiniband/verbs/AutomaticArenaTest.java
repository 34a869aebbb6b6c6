package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;

/** Registered memory that ends when nobody knows it any more. */
@EnabledOnOs(OS.LINUX)
class AutomaticArenaTest {

  @TempDir private Path folder;

  @Test
  void shouldLetMemoryOfAnAutomaticArenaEnd() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(AutomaticArenaProgram.class).lines())
        .containsExactly("ended in use: false", "evicted: 0");
  }
}
