package org.ringwire.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;
import org.ringwire.tools.process.ParentLink;

/** What is left of a command that a signal has ended: no process, and no file. */
@EnabledOnOs(OS.LINUX)
final class SignalSystemTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path temporary;

  private final Queue<String> errors = new ConcurrentLinkedQueue<>();

  /**
   * Files: how many folders the processes have, where that of temporary files is and in memory.
   * GROUP: a SIGTERM to all processes, as a terminal sends it.
   */
  @ParameterizedTest
  @CsvSource({
    "GROUP, 2, 1, 0, bench stream --tls --duration=600",
    "KILL, 2, 0, 2, bench stream --transport=shm --duration=600",
    "TERM, 0, 0, 2, bench stream --transport=shm --in-process --duration=600",
    "TERM, 2, 0, 3, demo --nodes=2 --transport=shm --modules=java.base --rounds=10000",
    "KILL, 2, 1, 0, soak --nodes=2 --minutes=10"
  })
  void shouldLeaveNothingBehind(String signal, int processes, int folders, int shared, String words)
      throws Exception {
    requireNothingBehind(signal, processes, folders, shared, words);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "TERM, 2, 1, 0, bench stream --tls --duration=600",
    "KILL, 2, 1, 0, bench stream --tls --duration=600",
    "TERM, 2, 0, 2, bench stream --transport=shm --duration=600",
    "GROUP, 2, 0, 2, bench pingpong --transport=shm --duration=600",
    "GROUP, 2, 1, 0, demo --nodes=2 --tls --modules=java.base --rounds=10000",
    "TERM, 2, 1, 0, soak --nodes=2 --minutes=10",
    "GROUP, 2, 1, 0, soak --nodes=2 --minutes=10"
  })
  void shouldLeaveNothingBehindOfAnyCommand(
      String signal, int processes, int folders, int shared, String words) throws Exception {
    requireNothingBehind(signal, processes, folders, shared, words);
  }

  private void requireNothingBehind(
      String signal, int processes, int folders, int shared, String words) throws Exception {
    ChildCommand command =
        new ChildCommand("command", Main.class, words.split(" ", -1))
            .withVmOptions("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary)
            .withLauncher(List.of("setsid")); // a group of its own
    try (ChildProcess child = ChildProcess.start(command, errors::add)) {
      ProcessHandle handle = ProcessHandle.of(child.pid()).orElseThrow();
      await(
          processes + " processes, " + shared + " folders in memory",
          () -> {
            assertThat(child.isAlive()).as(errors::toString).isTrue();
            return handle.descendants().count() == processes
                && sharedFolders(handle).size() == shared
                && temporaryFiles().size() == folders;
          });
      List<ProcessHandle> all = Stream.concat(Stream.of(handle), handle.descendants()).toList();
      Set<Path> inMemory = sharedFolders(handle);

      send(signal, child.pid());

      CompletableFuture<?>[] ends =
          all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
      CompletableFuture.allOf(ends).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(all).noneMatch(ProcessHandle::isAlive);
      assertThat(inMemory).as("folders in memory").noneMatch(Files::exists);
      assertThat(temporaryFiles()).as("temporary files").isEmpty();
    }
  }

  /** As programs start it that have no signal to send when they are killed. */
  @Test
  void shouldEndWithItsInputWhereThatIsAskedFor() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "node",
                "--id=1",
                "--listen=127.0.0.1:0")
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put(ParentLink.WATCH, "true");
    Process process = builder.start();
    try {
      assertThat(process.inputReader().readLine()).startsWith("READY ");
      process.getOutputStream().close();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("end").isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static void send(String signal, long pid) throws Exception {
    String[] words =
        signal.equals("GROUP")
            ? new String[] {"kill", "-TERM", "--", "-" + pid}
            : new String[] {"kill", "-" + signal, String.valueOf(pid)};
    Process kill = new ProcessBuilder(words).inheritIO().start();
    assertThat(kill.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }

  private List<Path> temporaryFiles() {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The folders of the transport through shared memory whose locks the processes have open. */
  private static Set<Path> sharedFolders(ProcessHandle handle) {
    Set<Path> found = new TreeSet<>();
    List<ProcessHandle> all = new ArrayList<>(List.of(handle));
    handle.descendants().forEach(all::add);
    for (ProcessHandle each : all) {
      try (Stream<Path> files = Files.list(Path.of("/proc/" + each.pid() + "/fd"))) {
        for (Path file : files.toList()) {
          Path open = Files.readSymbolicLink(file);
          if (open.toString().matches("/dev/shm/ringwire-[^/]+/lock")) {
            found.add(open.getParent());
          }
        }
      } catch (IOException e) {
        // it was closed meanwhile
      }
    }
    return found;
  }
}
