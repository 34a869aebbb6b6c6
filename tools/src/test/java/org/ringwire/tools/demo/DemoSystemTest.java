package org.ringwire.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.tools.Main;
import org.ringwire.tools.Schemas;
import org.ringwire.tools.console.ExitStatus;

/** The command as people start it: a process that starts processes. */
class DemoSystemTest {

  private static final Duration LIMIT = Duration.ofSeconds(150);
  private static final int NODES = 3;

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endWhatIsLeft() {
    started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void shouldRunOverTcpInProcesses() throws IOException, InterruptedException {
    Process demo = start("--json");
    assertThat(exitStatus(demo)).as(this::errors).isEqualTo(ExitStatus.GOOD);
    List<String> lines = Files.readAllLines(output());
    assertThat(lines).hasSize(1);
    assertThat(Schemas.problems("demo", lines.getFirst())).isEmpty();
    assertThat(lines.getFirst()).contains("\"nodes\":3").endsWith("\"verified\":true}");
    assertThat(progress().map(line -> line.substring(0, line.indexOf(':'))))
        .as(errors())
        .containsExactly("Graph", "Search", "PageRank");
  }

  @Test
  void shouldSayWhichNodeDied() throws IOException, InterruptedException {
    Process demo = startLong();
    List<ProcessHandle> workers = awaitWork(demo);
    ProcessHandle victim = workers.getFirst();
    victim.destroyForcibly();
    assertThat(exitStatus(demo)).isEqualTo(ExitStatus.UNUSABLE);
    assertThat(Files.readString(output())).isEmpty();
    List<String> errors =
        errors().lines().filter(line -> line.startsWith("ringwire demo:")).toList();
    assertThat(errors).as(errors()).hasSize(1);
    assertThat(errors.getFirst())
        .contains("(process " + victim.pid() + ") was killed by signal 9")
        .contains("PageRank round");
    assertThat(errors()).doesNotContain("\tat ");
    assertThatAllEnd(workers);
  }

  @Test
  @Tag("nightly")
  void shouldLeaveNoNodesBehindWhenKilled() throws IOException, InterruptedException {
    Process demo = startLong();
    List<ProcessHandle> workers = awaitWork(demo);
    demo.destroyForcibly();
    assertThatAllEnd(workers);
  }

  @Test
  @Tag("nightly")
  void shouldLeaveNoNodesBehindWhenTerminated() throws IOException, InterruptedException {
    Process demo = startLong();
    List<ProcessHandle> workers = awaitWork(demo);
    demo.destroy();
    assertThat(exitStatus(demo)).isEqualTo(128 + 15);
    assertThatAllEnd(workers);
  }

  private Process start(String... options) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "demo"));
    words.addAll(Arrays.asList(options));
    Process demo =
        new ProcessBuilder(words)
            .redirectOutput(output().toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    started.add(demo);
    return demo;
  }

  /** One that works until something happens to it. */
  private Process startLong() throws IOException {
    return start("--rounds", "10000", "--nodes", String.valueOf(NODES));
  }

  /** Waits until the search is over and PageRank has begun; returns the processes of the nodes. */
  private List<ProcessHandle> awaitWork(Process demo) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (errors().lines().noneMatch(line -> line.startsWith("Search:"))) {
      assertThat(demo.waitFor(50, TimeUnit.MILLISECONDS)).as(errors()).isFalse();
      assertThat(System.nanoTime()).as(errors()).isLessThan(deadline);
    }
    List<ProcessHandle> workers = demo.descendants().toList();
    assertThat(workers).hasSize(NODES);
    return workers;
  }

  private static int exitStatus(Process process) throws InterruptedException {
    assertThat(process.waitFor(LIMIT)).isTrue();
    return process.exitValue();
  }

  private static void assertThatAllEnd(List<ProcessHandle> processes) {
    for (ProcessHandle process : processes) {
      assertThat(process.onExit()).succeedsWithin(LIMIT);
    }
  }

  private Path output() {
    return folder.resolve("out");
  }

  /** What the command itself says; its nodes may warn besides, of a busy machine for example. */
  private Stream<String> progress() {
    return errors().lines().filter(line -> !line.startsWith("[node "));
  }

  private String errors() {
    try {
      return Files.readString(folder.resolve("err"));
    } catch (IOException e) {
      return "";
    }
  }
}
