package org.ringwire.infiniband.msgrc;

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

/** One thread does all posting, as in the paper. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LeftToSendThreadTest {

  private static final List<String> ONE_POSTS =
      List.of("-Xmx256m", "-Dringwire.ib.sendThread=true");

  @TempDir private Path folder;

  /** A node that closes looks again and again whether all was taken, and writes what is left. */
  @Test
  void shouldLeaveNothingToTheSendThreadWhereThereIsNothingToWrite() throws Exception {
    assertThat(
            SimulatedLibrary.compile(folder).run(ONE_POSTS, LeftToSendThreadProgram.class).lines())
        .containsExactly(
            "nothing: true", "a byte: false", "by the send thread: true", "nothing more: true");
  }
}
