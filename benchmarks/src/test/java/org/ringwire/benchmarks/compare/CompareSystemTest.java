package org.ringwire.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.ringwire.testing.Awaiting.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.benchmarks.Outcome;
import org.ringwire.benchmarks.runs.ComparedSystem;
import picocli.CommandLine;

/** Runs the comparison as a user does, for a moment. */
class CompareSystemTest {
  private static final String SHORT = " --duration 0.1 --warmup 0 --attempts 1";

  private static Outcome run(String words) throws IOException, InterruptedException {
    return Outcome.of(CompareMain.class, words);
  }

  @Test
  void shouldCompareInTurnsAndSkipWhoCannot(@TempDir Path folder) throws Exception {
    Path page = folder.resolve("page.html");
    Outcome outcome =
        run(
            "--benchmark requests --systems ringwire-shm,reference,minimal-nio --threads 2 --rounds 2 --json"
                + SHORT
                + " --html "
                + page);

    assertThat(outcome.status()).as(outcome.errors()).isZero();
    List<JsonNode> lines = outcome.lines("bench-compare");
    assertThat(lines.stream().filter(line -> line.required("kind").asText().equals("run")))
        .extracting(
            line -> line.required("system").asText() + " " + line.required("status").asText())
        .containsExactly(
            "ringwire-shm measured",
            "reference measured",
            "minimal-nio skipped",
            "minimal-nio skipped", // the order rotates
            "ringwire-shm measured",
            "reference measured");
    assertThat(lines.stream().filter(line -> line.required("kind").asText().equals("summary")))
        .extracting(
            line -> line.required("system").asText() + " " + line.required("versus").asText(),
            line -> line.required("rounds").asInt())
        .containsExactly(
            tuple("ringwire-shm reference", 2),
            tuple("ringwire-shm minimal-nio", 0),
            tuple("reference minimal-nio", 0));
    assertThat(Files.readString(page))
        .contains(
            "requests, 64 B, 2 threads", "minimal-nio skipped: exit status 2: minimal-nio only")
        .doesNotContain("<script src", "<link");
  }

  @Test
  @Tag("nightly")
  @EnabledOnOs(OS.LINUX) // where the words of a process can be read, however many they are
  void shouldFailWhenRingwireDies() throws Exception {
    Process comparison =
        Outcome.start(
            CompareMain.class,
            "--systems reference,ringwire-tcp --json --duration 20 --warmup 0 --rounds 1 --attempts 1");
    try (Reader output = comparison.inputReader();
        Reader errors = comparison.errorReader()) {
      await(
          "a sender at work", () -> comparison.descendants().anyMatch(CompareSystemTest::isAtWork));
      comparison
          .descendants()
          .filter(CompareSystemTest::isAtWork)
          .forEach(ProcessHandle::destroyForcibly);
      Outcome outcome = new Outcome(1, output.readAllAsString(), errors.readAllAsString());

      assertThat(outcome.lines("bench-compare"))
          .filteredOn(line -> line.required("kind").asText().equals("run"))
          .extracting(
              line -> line.required("system").asText() + " " + line.required("status").asText())
          .containsExactly("reference measured", "ringwire-tcp failed");
      assertThat(comparison.waitFor()).as(outcome.errors()).isOne();
    } finally {
      comparison.destroyForcibly();
    }
  }

  /** It has taken far more processor time than a JVM takes to start, also where that is slow. */
  private static boolean isAtWork(ProcessHandle process) {
    Duration used = process.info().totalCpuDuration().orElse(Duration.ZERO);
    try {
      return used.compareTo(Duration.ofSeconds(3)) > 0
          && Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
              .contains(".BenchChild\0sender\0");
    } catch (IOException e) {
      return false; // it has just ended
    }
  }

  @Test
  void shouldLetOthersFlushLessOften() throws Exception {
    List<JsonNode> lines =
        run("--systems reference,netty-nio --messages-per-flush 512 --rounds 1 --json" + SHORT)
            .lines("bench-compare");

    assertThat(lines.stream().filter(line -> line.required("kind").asText().equals("run")))
        .hasSize(2)
        .allMatch(line -> line.required("messagesPerFlush").asInt() == 512)
        .allMatch(line -> line.required("command").asText().contains("--messages-per-flush 512"));
  }

  @Test
  void shouldListTheSystems() throws Exception {
    assertThat(run("--list").output()).contains("ringwire-tcp ", "netty-epoll ");

    Outcome outcome = run("--list --json");
    assertThat(outcome.status()).isZero();
    assertThat(outcome.lines("bench-compare"))
        .extracting(line -> line.required("system").asText())
        .isEqualTo(ComparedSystem.names());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --systems ringwire-tpc | --systems: there is no 'ringwire-tpc', did you mean 'ringwire-tcp'? --list shows all
          --benchmark foo | --benchmark must be one of pingpong, stream, requests, not foo
          --rounds 0 | --rounds takes a number from 1 to 1000, not 0
          --payload 64,-1 | --payload takes a number from 0 to 67108864, not -1
          --threads 1025 | --threads takes a number from 1 to 1024, not 1025
          --duration 0.001 | --duration takes a number from 0.01 to 3600, not 0.001
          --warmup 1e30 | --warmup takes a number from 0 to 3600, not 1.0E30
          --benchmark pingpong --threads 2 | pingpong has one thread; use --benchmark requests for more
          --systems c,c | --systems: one appears twice
          --messages-per-flush 0 | --messages-per-flush takes a number from 1 to 65536, not 0
          --messages-per-flush 65 --benchmark requests | --messages-per-flush is for streams; a request does not wait for others
          --html . --systems ringwire-shm --rounds 1 --attempts 1 --duration 0.1 --warmup 0 | --html: . is a folder; name a file in it
          --html /nowhere/at/all/page.html | --html: there is no folder for /nowhere/at/all/page.html that can be written to
          """)
  void shouldSayWhatIsWrongInOneLine(String words, String message) {
    StringWriter errors = new StringWriter();
    CommandLine line = CompareMain.commandLine().setErr(new PrintWriter(errors));

    assertThat(line.execute(words.split(" ", -1))).isEqualTo(2);
    assertThat(errors.toString().lines()).containsExactly("ringwire bench compare: " + message);
  }
}
