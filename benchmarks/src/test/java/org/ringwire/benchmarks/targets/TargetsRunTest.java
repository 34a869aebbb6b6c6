package org.ringwire.benchmarks.targets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.benchmarks.Outcome;

/** From what the launcher prints to table, lines and status; a script stands in for it. */
@EnabledOnOs(OS.LINUX)
class TargetsRunTest {
  private static final String TITLE = "loopback one way, 64 B, 1 sender, inline handler";
  private static final String ROW = "| " + TITLE + " | ns per message | ";

  @TempDir private Path folder = Path.of("");

  private Path launcher(String... lines) throws IOException {
    Path launcher = Files.writeString(folder.resolve("launcher"), "#!/bin/sh\n" + join(lines));
    return Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
  }

  private static String join(String... lines) {
    return String.join("\n", lines) + "\n";
  }

  private static String words(Path launcher, String more) {
    return "--only loopback-stream --attempts 1 --duration 0.01 --warmup 0 --ringwire "
        + launcher
        + " "
        + more;
  }

  @ParameterizedTest
  @CsvSource({"59, yes, 0", "60, yes, 0", "61, **no**, 1"})
  void shouldJudgeWhatWasMeasured(int nanos, String verdict, int status) throws Exception {
    Path launcher = launcher("echo '{\"nanosPerMessage\":" + nanos + "}'");

    Outcome outcome = Outcome.of(TargetsMain.class, words(launcher, "--rounds 1"));

    assertThat(outcome.output())
        .contains(ROW + nanos + " |  |  |  | at most 60 ns per message | " + verdict + " |");
    assertThat(outcome.status()).isEqualTo(status);
  }

  @Test
  void shouldCountTheRoundsThatGaveSomethingAndFailForTheOthers() throws Exception {
    Path count = folder.resolve("count");
    Path log = folder.resolve("runs.jsonl");
    Path launcher =
        launcher(
            "echo >>" + count,
            "case $(wc -l <" + count + ") in",
            "  2) echo 'it died' >&2; exit 1 ;;",
            "  *) echo '{\"nanosPerMessage\":'$(wc -l <" + count + ")'0}' ;;",
            "esac");

    Outcome outcome = Outcome.of(TargetsMain.class, words(launcher, "--rounds 4 --json " + log));

    assertThat(outcome.status()).isOne();
    assertThat(outcome.output())
        .contains(ROW + "30 (10 to 40) |  |  |  | at most 60 ns per message | yes |")
        .contains("- loopback-stream, ringwire: exit status 1: it died");
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      lines.add(new ObjectMapper().readTree(line));
    }
    assertThat(lines)
        .extracting(line -> line.required("kind").asText())
        .containsExactly("start", "run", "run", "run", "run", "goal");
    assertThat(lines.getLast().required("met").asBoolean()).isTrue();
    assertThat(lines.getLast().required("median").asDouble()).isEqualTo(30);
  }

  /** Such as those of a benchmark that has lost messages. */
  @Test
  void shouldTakeNoFiguresOfACommandThatHasFailed() throws Exception {
    Path launcher = launcher("echo '{\"nanosPerMessage\":1}'", "echo 'lost 3' >&2", "exit 1");

    Outcome outcome = Outcome.of(TargetsMain.class, words(launcher, "--rounds 1"));

    assertThat(outcome.status()).isOne();
    assertThat(outcome.output())
        .contains(ROW + "not measured |", "- loopback-stream, ringwire: exit status 1: lost 3");
  }

  @Test
  void shouldLetEachOfThemBeginARound() throws Exception {
    Path log = folder.resolve("runs.jsonl");
    Path launcher = launcher("echo '{\"rttMicros\":{\"p50\":7}}'");

    Outcome outcome =
        Outcome.of(
            TargetsMain.class,
            words(launcher, "--rounds 2 --json " + log).replace("loopback-stream", "tls-rtt"));

    assertThat(outcome.status()).as(outcome.errors()).isZero();
    List<String> order = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      JsonNode node = new ObjectMapper().readTree(line);
      if (node.required("kind").asText().equals("run")) {
        order.add(node.required("round").asInt() + " " + node.required("contender").asText());
      }
    }
    assertThat(order)
        .containsExactly("1 ringwire", "1 ringwire, no TLS", "2 ringwire, no TLS", "2 ringwire");
  }

  /** Who has waited for hours has the table at least, whatever became of the file of lines. */
  @Test
  void shouldPrintTheTableAlsoWhenTheLinesCannotBeWritten() throws Exception {
    Path pipe = folder.resolve("pipe");
    Path markdown = folder.resolve("table.md");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process reader = new ProcessBuilder("head", "-n", "1", pipe.toString()).start();
    try {
      Path launcher =
          launcher(
              "while kill -0 " + reader.pid() + " 2>/dev/null; do sleep 0.01; done",
              "echo '{\"nanosPerMessage\":50}'");

      Outcome outcome =
          Outcome.of(
              TargetsMain.class,
              words(launcher, "--rounds 1 --json " + pipe + " --markdown " + markdown));

      assertThat(outcome.output()).contains(ROW + "50 |");
      assertThat(Files.readString(markdown)).contains(ROW + "50 |");
      assertThat(outcome.errors()).endsWith("targets: --json cannot be written: " + pipe + "\n");
      assertThat(outcome.status()).isEqualTo(2);
      assertThat(reader.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      reader.destroyForcibly();
    }
  }
}
