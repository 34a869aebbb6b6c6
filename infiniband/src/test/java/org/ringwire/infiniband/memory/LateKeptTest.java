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

/** Operations that end while the device keeps their queue pair. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LateKeptTest {

  @TempDir private Path folder;

  /**
   * Their callers wait for the exceptions of remote memory, and no others. What the device fails at
   * is found by who waits, or by the thread that takes completions, and costs the same.
   */
  @Test
  void shouldEndThemAndGoOnWhateverBecomesOfTheQueuePair() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(LateKeptProgram.class))
        .contains("ended: DEADLINE", "goes on")
        .contains("without a waiter: UNCERTAIN", "then: none", "opened anew: none");
  }

  /** What the queue had of others may be lost, too, and nobody else may come by to find it. */
  @Test
  void shouldEndAllOfThatNodeWhereTheQueueFailsAsOneOfThemIsGivenUp() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(FailedInterruptProgram.class))
        .contains("given up: interrupted", "operations on memory of a node have failed")
        .containsPattern("behind it: (CLOSED|none)")
        .contains("opened anew: none");
  }
}
