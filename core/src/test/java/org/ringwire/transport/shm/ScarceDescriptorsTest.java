package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** A node over shared memory where there are too few file descriptors for one. */
@ExtendWith(NodeWatcher.class)
@EnabledOnOs(OS.LINUX)
class ScarceDescriptorsTest {

  @Test
  void shouldNameTheLimitWhicheverIsMissingAndLeaveNothingBehind(@TempDir Path folder)
      throws Exception {
    List<String> java =
        JavaProgram.command(ScarceDescriptorsProgram.class, "-Xmx64m", "-XX:+UseSerialGC");
    String program = String.join(" ", java) + " " + folder;
    Process process = new ProcessBuilder("sh", "-c", "ulimit -n 128; exec " + program).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).isZero();
      List<String> lines = output.lines().toList();
      assertThat(lines).hasSizeGreaterThan(4).startsWith("left: []").endsWith("opened");
      assertThat(lines.subList(1, lines.size() - 1))
          .allSatisfy(line -> assertThat(line).containsOnlyOnce("ulimit -n=128"))
          .noneSatisfy(line -> assertThat(line).contains("writable"));
    } finally {
      process.destroyForcibly();
    }
  }
}
