package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What happens when a process may lock less memory than it registers. */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
final class LockedMemoryTest {

  private static final int LIMIT = 1 << 20;

  @Test
  void shouldNameTheLimitAndTheCommandThatRaisesIt() throws Exception {
    // Root is exempt as long as it has the capability.
    List<String> limited =
        List.of(
            "setpriv",
            "--bounding-set=-ipc_lock",
            "--inh-caps=-ipc_lock",
            "prlimit",
            "--memlock=" + LIMIT + ":" + LIMIT,
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            LockedMemoryProgram.class.getName());
    Process process = new ProcessBuilder(limited).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output)
        .contains("small: 524288")
        .contains("ibv_reg_mr failed: errno=12 (ENOMEM), length=4194304")
        .contains("RLIMIT_MEMLOCK=1048576 bytes (hard limit 1048576), registered=524288 bytes")
        .contains("`ulimit -l unlimited`")
        .contains("again: 524288");
  }
}
