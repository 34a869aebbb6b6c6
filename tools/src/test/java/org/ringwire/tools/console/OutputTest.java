package org.ringwire.tools.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.tools.Main;

/** A result that cannot be written is not a good one. */
@EnabledOnOs(OS.LINUX)
final class OutputTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--version",
        "demo --help",
        "bench stream --in-process --duration=0.1 --warmup=0 --json",
        "node --id=1 --listen=127.0.0.1:0"
      })
  void shouldFailWhenTheOutputCannotBeWritten(String words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(words.split(" ", -1)));
    Process process = new ProcessBuilder(command).redirectOutput(new File("/dev/full")).start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("end").isTrue();
      String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(errors)
          .contains("ringwire: standard output cannot be written: No space left on device");
      assertThat(process.exitValue()).as(errors).isEqualTo(2);
    } finally {
      process.destroyForcibly();
    }
  }
}
