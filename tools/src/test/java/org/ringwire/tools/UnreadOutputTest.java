package org.ringwire.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.tools.console.Output;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;
import org.ringwire.tools.process.ParentLink;

/** What becomes of commands behind whose output somebody has closed the pipe. */
@EnabledOnOs(OS.LINUX)
final class UnreadOutputTest {

  private static final long PATIENCE_S = 60;

  /** Nothing is said before a line was read, by which nobody reads it any more. */
  private static final List<String> WHEN_TOLD =
      List.of("/bin/sh", "-c", "read -r _; exec \"$@\"", "sh");

  private static Process start(Class<?> main, String... words) throws Exception {
    return start(List.of(), main, words);
  }

  private static Process start(List<String> before, Class<?> main, String... words)
      throws Exception {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(words));
    return new ProcessBuilder(command).start();
  }

  private static void requireQuietEnd(Process process) throws Exception {
    assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).as("end").isTrue();
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(errors).doesNotContain("standard output", "Exception", "\tat ", "Broken pipe");
    assertThat(process.exitValue()).as(errors).isEqualTo(141);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--version",
        "demo --help",
        "bench stream --in-process --duration=0.1 --warmup=0 --json",
        "bench stream --duration=0.1 --warmup=0",
        "node --id=1 --listen=127.0.0.1:0",
        "node --id=1 --transport=shm --listen=unread"
      })
  void shouldEndWithoutAWord(String words) throws Exception {
    Process process = start(WHEN_TOLD, Main.class, words.split(" ", -1));
    try {
      process.getInputStream().close();
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      requireQuietEnd(process);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Says which child it has, again and again. */
  static final class Talkative {
    private Talkative() {}

    public static void main(String... words) throws InterruptedException {
      Output.open();
      ChildProcess child = ChildProcess.start(new ChildCommand("child", Silent.class));
      child.awaitReady(Duration.ofSeconds(PATIENCE_S));
      while (true) {
        System.out.println(child.pid());
        Thread.sleep(1); // it writes until it is ended, and need not take a core for it
      }
    }
  }

  /** Lives as long as its parent. */
  static final class Silent {
    private Silent() {}

    public static void main(String... words) throws InterruptedException {
      ParentLink link = ParentLink.open();
      link.ready("");
      Thread.currentThread().join();
    }
  }

  @Test
  void shouldEndInTheMiddleAndLeaveNoProcess() throws Exception {
    Process process = start(Talkative.class);
    try {
      ProcessHandle child;
      try (BufferedReader out = process.inputReader()) {
        child = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
      }
      requireQuietEnd(process);
      Object _ = child.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly();
    }
  }
}
