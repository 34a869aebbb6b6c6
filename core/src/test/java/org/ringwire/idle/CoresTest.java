package org.ringwire.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class CoresTest {

  @TempDir private Path folder;
  private Path proc;
  private Path root;

  @BeforeEach
  void makeFolders() throws IOException {
    proc = folder.resolve("cgroup");
    root = Files.createDirectory(folder.resolve("root"));
  }

  private double cores(int processors) {
    return new Cores(() -> processors, proc, root).getAsDouble();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  @Test
  void shouldTakeTheFractionThatTheGroupAllows() throws IOException {
    Files.writeString(proc, "0::/pod/app\n");
    write("pod/app/cpu.max", "150000 100000");

    assertThat(cores(8)).isEqualTo(1.5);
    assertThat(cores(1)).as("the JVM may use one only").isEqualTo(1);
  }

  @Test
  void shouldTakeTheLeastThatAGroupAboveAllows() throws IOException {
    Files.writeString(proc, "0::/pod/app\n");
    write("cpu.max", "400000 100000");
    write("pod/cpu.max", "50000 100000");
    write("pod/app/cpu.max", "max 100000");

    assertThat(cores(8)).isEqualTo(0.5);
  }

  @Test
  void shouldTakeTheLimitAtTheRootOfAContainerWithItsOwnView() throws IOException {
    Files.writeString(proc, "0::/\n");
    write("cpu.max", "250000 100000");

    assertThat(cores(8)).isEqualTo(2.5);
  }

  @Test
  void shouldUnderstandTheFirstVersion() throws IOException {
    Files.writeString(proc, "4:memory:/app\n3:cpu,cpuacct:/app\n0::/app\n");
    write("cpu,cpuacct/app/cpu.cfs_quota_us", "300000");
    write("cpu,cpuacct/app/cpu.cfs_period_us", "200000");
    write("cpu,cpuacct/cpu.cfs_quota_us", "-1");
    write("cpu,cpuacct/cpu.cfs_period_us", "100000");

    assertThat(cores(8)).isEqualTo(1.5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "max", "max 100000", "x y", "100000", "0 100000", "5 0", "-1 100000"})
  void shouldTakeWhatTheJvmSaysWhereThereIsNoLimit(String text) throws IOException {
    Files.writeString(proc, "0::/app\n");
    write("app/cpu.max", text);

    assertThat(cores(3)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0::/not/there", "nothing of the kind", "0::", "0::/../..", ""})
  void shouldTakeWhatTheJvmSaysWhereGroupsAreNotToBeFound(String text) throws IOException {
    Files.writeString(proc, text + "\n");

    assertThat(cores(3)).isEqualTo(3);
  }

  @Test
  void shouldTakeWhatTheJvmSaysWhereThereAreNoGroups() {
    assertThat(cores(5)).isEqualTo(5);
  }
}
