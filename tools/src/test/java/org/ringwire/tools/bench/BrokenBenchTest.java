package org.ringwire.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.tools.Main;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;

/** A benchmark whose processes do not live as long as it. */
@EnabledOnOs(OS.LINUX) // where the words of a process can be read, however many they are
final class BrokenBenchTest {

  /** Status 2 would say that it cannot run here. */
  @ParameterizedTest
  @ValueSource(strings = {"sender", "receiver"})
  void shouldFailWhenAProcessDiesThatIsMeasured(String role) throws Exception {
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    ChildCommand command =
        new ChildCommand("bench", Main.class, "bench", "pingpong", "--warmup=0", "--duration=60");
    try (ChildProcess bench = ChildProcess.start(command, lines::add)) {
      await("a measurement", () -> lines.stream().anyMatch(line -> line.startsWith("measuring")));
      ProcessHandle.of(bench.pid()).stream()
          .flatMap(ProcessHandle::descendants)
          .filter(child -> isOfRole(child, role))
          .forEach(ProcessHandle::destroyForcibly);

      assertThat(bench.onExit().get(2, TimeUnit.MINUTES)).as(lines.toString()).isOne();
      assertThat(bench.describeEnd()).contains("ringwire bench pingpong: sender (process ");
    }
  }

  private static boolean isOfRole(ProcessHandle child, String role) {
    try {
      return Files.readString(Path.of("/proc/" + child.pid() + "/cmdline"))
          .contains(".BenchChild\0" + role + "\0");
    } catch (IOException e) {
      return false; // it has just ended
    }
  }
}
