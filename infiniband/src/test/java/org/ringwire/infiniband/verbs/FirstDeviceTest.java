package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** Which device is taken where no name is given. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class FirstDeviceTest {

  @TempDir private Path folder;

  @Test
  void shouldPassOverADeviceThatCannotBeAsked() throws Exception {
    assertThat(opened("broken device", "0")).containsExactly("opened: simulated1", "left open: 0");
  }

  @Test
  void shouldPassOverADeviceThatCannotBeOpened() throws Exception {
    assertThat(opened("forbidden device", "0"))
        .containsExactly("opened: simulated1", "left open: 0");
  }

  @Test
  void shouldTakeTheDeviceWhosePortOfTheSettingsIsActive() throws Exception {
    assertThat(opened("ports", "2", "inactive port", "1"))
        .containsExactly("opened: simulated1", "left open: 0");
  }

  @Test
  void shouldTakeADeviceThatIsNotActiveWhereNoneIs() throws Exception {
    assertThat(opened("forbidden device", "1", "inactive port", "1"))
        .containsExactly("opened: simulated0", "left open: 0");
  }

  @Test
  void shouldSayWhyTheFirstCannotBeUsedWhereNoneCan() throws Exception {
    assertThat(opened("broken device", "0", "forbidden device", "1"))
        .containsExactly("failed: ibv_query_port failed: errno=5 (EIO), port=1", "left open: 0");
  }

  private Iterable<String> opened(String... state) throws Exception {
    return SimulatedLibrary.compile(folder).run(FirstDeviceProgram.class, state).lines().toList();
  }

  /** Between two looks at what there is; for the last of these it is there no more. */
  @Test
  void shouldPassOverADeviceThatIsRemovedMeanwhile() throws Exception {
    assertThat(opened("whole lists", "3")).containsExactly("opened: simulated1", "left open: 0");
  }
}
