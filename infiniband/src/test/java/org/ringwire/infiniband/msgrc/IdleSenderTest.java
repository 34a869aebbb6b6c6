package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** What is heard of a request that is posted while nothing else is outstanding. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class IdleSenderTest {

  @TempDir private Path folder;

  /** Its ring could not rest, and a peer that does not answer would not be missed. */
  @Test
  void shouldHearOfWhatIsPostedWhileTheThreadThatSendsSleeps() throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(IdleSenderProgram.class))
        .contains("completed: 1000")
        .containsPattern("closed: .*RETRY_EXC_ERR");
  }
}
