package org.ringwire.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.Finding.Status;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
final class DiagnosisTest {

  private static final String LOCKED = "Max locked memory         ";

  @TempDir private Path root;

  @Test
  void shouldSayThatThereIsNoDevice() {
    List<Finding> findings = Diagnosis.ofFiles(root);
    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().status()).isEqualTo(Status.ABSENT);
    assertThat(findings.getFirst().found()).contains("no RDMA module");
    assertThat(findings.getFirst().advice()).contains("docs/infiniband.md");
  }

  @Test
  void shouldSayWhatIsMissing() throws IOException {
    Files.createDirectories(root.resolve("sys/class/infiniband/mlx5_0"));
    assertThat(finding("InfiniBand").found()).isEqualTo("devices: mlx5_0");
    assertThat(finding("InfiniBand access").advice()).isEqualTo("modprobe ib_uverbs");

    Files.createDirectories(root.resolve("sys/module/ib_uverbs"));
    assertThat(finding("InfiniBand access").advice()).contains("--device /dev/infiniband");

    Files.createDirectories(root.resolve("dev/infiniband"));
    Files.createFile(root.resolve("dev/infiniband/uverbs0"));
    Files.createFile(root.resolve("dev/infiniband/rdma_cm"));
    assertThat(finding("InfiniBand access"))
        .isEqualTo(new Finding("InfiniBand access", Status.GOOD, "/dev/infiniband: uverbs0", ""));
  }

  /** A module that is built in is in no list of modules. */
  @Test
  void shouldFindAccessWhereTheKernelHasItsModulesBuiltIn() throws IOException {
    Files.createDirectories(root.resolve("sys/class/infiniband/mlx5_0"));
    Files.createDirectories(root.resolve("dev/infiniband"));
    Files.createFile(root.resolve("dev/infiniband/uverbs0"));
    assertThat(finding("InfiniBand access").status()).isEqualTo(Status.GOOD);
  }

  @Test
  void shouldJudgeTheLimitOfLockedMemory() throws IOException {
    Files.createDirectories(root.resolve("sys/class/infiniband/mlx5_0"));
    Files.createDirectories(root.resolve("proc/self"));
    Path limits = root.resolve("proc/self/limits");
    Path status = root.resolve("proc/self/status");
    assertThat(finding("InfiniBand memory").status()).isEqualTo(Status.GOOD);

    Files.writeString(limits, LOCKED + "8388608              8388608              bytes     \n");
    Files.writeString(status, "Name:\tjava\nCapEff:\t00000000a80425fb\n");
    assertThat(finding("InfiniBand memory").status()).isEqualTo(Status.WRONG);
    assertThat(finding("InfiniBand memory").found()).startsWith("8192 KiB");
    assertThat(finding("InfiniBand memory").advice()).contains("ulimit -l unlimited");

    Files.writeString(status, "Name:\tjava\nCapEff:\t000001ffffffffff\n");
    assertThat(finding("InfiniBand memory").status()).isEqualTo(Status.GOOD);

    Files.delete(status);
    Files.writeString(limits, LOCKED + "unlimited            unlimited            bytes     \n");
    assertThat(finding("InfiniBand memory").status()).isEqualTo(Status.GOOD);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldSayWhatADeviceWithoutSharedQueuesDoesFor() throws Exception {
    Files.createDirectories(root.resolve("sys/class/infiniband/simulated0"));
    String told = SimulatedLibrary.compile(root).run(UnsharedQueuesProgram.class, root.toString());
    assertThat(told)
        .containsPattern("(?m)^device simulated0: WRONG: opens;.* no shared receive queues, .*")
        .contains("regions of 18446744073709551615 bytes") // no limit
        .contains("-Dringwire.ib.engine=msgud");
  }

  @Test
  @Tag("rdma")
  @Tag("rdma-slice")
  void shouldDescribeADeviceThatWorks() {
    List<Finding> findings = Diagnosis.run();
    assertThat(findings).allMatch(finding -> finding.status() == Status.GOOD);
    assertThat(findings.stream().map(Finding::name))
        .containsExactly(
            "InfiniBand",
            "InfiniBand access",
            "InfiniBand memory",
            "libibverbs",
            "device rxe0",
            "rxe0 port 1",
            "rxe0 port 1 GIDs");
    assertThat(findings.get(5).found()).isEqualTo("ACTIVE, Ethernet (RoCE), MTU 4096");
    assertThat(findings.getLast().found()).contains("1: 10.99.0.1 ROCE_V2 dummy0");
  }

  private Finding finding(String name) {
    return Diagnosis.ofFiles(root).stream()
        .filter(finding -> finding.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
