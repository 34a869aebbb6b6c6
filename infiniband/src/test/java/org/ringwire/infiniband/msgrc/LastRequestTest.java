package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** What a link has at the device when it ends comes back, and does not change how it has ended. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class LastRequestTest {

  private static final int LINKS = 5;
  private static final List<String> ALL_IN_ORDER = Collections.nCopies(LINKS, "in order, in order");

  @TempDir private Path folder;

  @Test
  void shouldGetEveryReceiveRequestBackWhenThisSideEndsALink() throws Exception {
    assertThat(ends("here", "receiving")).containsExactlyElementsOf(ALL_IN_ORDER);
  }

  @Test
  void shouldGetEveryReceiveRequestBackWhenThePeerEndsALink() throws Exception {
    assertThat(ends("peer", "receiving")).containsExactlyElementsOf(ALL_IN_ORDER);
  }

  @Test
  void shouldSayThatThePeerHasClosedInOrder() throws Exception {
    assertThat(ends("peer", "sending")).containsExactlyElementsOf(ALL_IN_ORDER);
  }

  @Test
  void shouldTellOfEndsAtOnceOnADeviceThatTellsOfNoLastRequest() throws Exception {
    assertThat(ends("here", "silent")).containsExactlyElementsOf(ALL_IN_ORDER);
  }

  private List<String> ends(String who, String what) throws Exception {
    return SimulatedLibrary.compile(folder)
        .run(LastRequestProgram.class, "" + LINKS, who, what)
        .lines()
        .toList();
  }
}
