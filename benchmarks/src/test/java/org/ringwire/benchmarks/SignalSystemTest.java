package org.ringwire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.benchmarks.compare.CompareMain;
import org.ringwire.benchmarks.reference.c.CSource;
import org.ringwire.tools.Main;

/**
 * What is left of a comparison that a signal has ended, whose processes have started others in
 * turn: none of them, and no file.
 */
@EnabledOnOs(OS.LINUX)
class SignalSystemTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** What is measured does not matter here, and processes start sooner. */
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  private static final String MARK = "RINGWIRE_TEST_MARK";
  private static final Pattern FOLDER = Pattern.compile("/dev/shm/ringwire-bench[^/ \0]+");

  @TempDir
  @SuppressWarnings("NullAway")
  Path temporary;

  private final String mark = MARK + "=" + UUID.randomUUID();

  /**
   * Processes: all of the command, itself included; folders: those in memory. Without the word
   * bench it is the comparison itself that is ended.
   */
  @ParameterizedTest
  @CsvSource({
    "TERM, 4, 0, bench heap --figure latency --shape floats --rounds 1000",
    "KILL, 5, 0, 'bench compare --systems ringwire-tcp,reference --duration 600 --attempts 1'",
    "TERM, 5, 1, 'bench compare --systems c,reference --duration 600 --attempts 1'",
    "KILL, 4, 1, bench reference --system aeron-ipc --benchmark stream --duration 600"
  })
  void shouldLeaveNothingBehind(String signal, int processes, int folders, String words)
      throws Exception {
    requireNothingBehind(signal, processes, folders, words);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "KILL, 4, 0, bench heap --figure latency --shape floats --rounds 1000",
    "TERM, 3, 0, bench heap --cold --rounds 1000",
    "TERM, 5, 0, 'bench compare --systems ringwire-tcp,reference --duration 600 --attempts 1'",
    "KILL, 4, 0, 'compare --systems ringwire-tcp,reference --duration 600 --attempts 1'",
    "KILL, 5, 1, 'bench compare --systems c,reference --duration 600 --attempts 1'",
    "TERM, 4, 1, bench reference --system c --benchmark stream --duration 600",
    "KILL, 4, 1, bench reference --system c --benchmark stream --duration 600",
    "TERM, 4, 1, bench reference --system aeron-ipc --benchmark stream --duration 600"
  })
  void shouldLeaveNothingBehindOfAnyCommand(String signal, int processes, int folders, String words)
      throws Exception {
    requireNothingBehind(signal, processes, folders, words);
  }

  private void requireNothingBehind(String signal, int processes, int folders, String words)
      throws Exception {
    Assumptions.assumeTrue(
        !words.matches(".*--systems? c\\b.*")
            || CSource.find(List.of("cc", "gcc", "clang")).isPresent(),
        "no C compiler");
    Process process = start(words);
    try {
      await(
          processes + " processes, " + folders + " folders in memory",
          () -> {
            assertThat(process.isAlive()).isTrue();
            return marked().size() == processes && inMemory().size() == folders;
          });
      Set<Path> inMemory = inMemory();
      Set<Path> results = results();
      assertThat(results).hasSize(words.contains("compare") ? 2 : 0);

      if (signal.equals("KILL")) {
        process.destroyForcibly();
      } else {
        process.destroy();
      }

      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      await("the end of all processes", () -> marked().isEmpty());
      assertThat(inMemory).as("folders in memory").noneMatch(Files::exists);
      assertThat(results).as("results of a run").noneMatch(Files::exists);
    } finally {
      process.destroyForcibly();
      marked().forEach(ProcessHandle::destroyForcibly);
    }
  }

  private Process start(String words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    boolean isWhole = words.startsWith("bench");
    Class<?> main = isWhole ? Main.class : CompareMain.class;
    command.add(QUICK_COMPILER);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of((isWhole ? words : words.replaceFirst("^compare ", "")).split(" ", -1)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temporary.resolve("output").toFile());
    builder.environment().put(MARK, mark.substring(MARK.length() + 1));
    return builder.start();
  }

  /** All that the command has started, whoever their parents are by now. */
  private List<ProcessHandle> marked() {
    return ProcessHandle.allProcesses()
        .filter(each -> text(each, "environ").contains(mark))
        .toList();
  }

  private static String text(ProcessHandle process, String file) {
    try {
      return Files.readString(
          Path.of("/proc/" + process.pid() + "/" + file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // it has ended, or is of somebody else
    }
  }

  /** Which the processes name in their words, or were started from. */
  private Set<Path> inMemory() {
    Set<Path> found = new TreeSet<>();
    for (ProcessHandle each : marked()) {
      Matcher folders = FOLDER.matcher(text(each, "cmdline"));
      folders.results().forEach(folder -> found.add(Path.of(folder.group())));
    }
    return found;
  }

  /** The files that a run which is compared writes to. */
  private Set<Path> results() {
    Set<Path> found = new TreeSet<>();
    for (ProcessHandle each : marked()) {
      for (int stream = 1; stream <= 2; stream++) {
        try {
          Path file = Files.readSymbolicLink(Path.of("/proc/" + each.pid() + "/fd/" + stream));
          if (file.toString().contains("/ringwire-run")) {
            found.add(file);
          }
        } catch (IOException e) {
          // it has ended
        }
      }
    }
    return found;
  }
}
