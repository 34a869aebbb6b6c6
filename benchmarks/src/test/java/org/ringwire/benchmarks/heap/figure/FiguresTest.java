package org.ringwire.benchmarks.heap.figure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.benchmarks.Outcome;

/** Repeats each figure of the paper for a moment. */
class FiguresTest {
  @TempDir
  @SuppressWarnings("NullAway")
  Path folder;

  @ParameterizedTest
  @CsvSource({
    "--figure throughput --shape floats --elements 64, 7",
    "--figure stages --shape points --elements 64, 8",
  })
  void shouldMeasureEachPoint(String words, int points) throws Exception {
    requireEachPoint(words, points);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "--figure latency --shape pairs --elements 256, 16",
    "--figure streaming --shape pairs --elements 256, 14",
    "--figure pipelining --shape points --elements 5000, 11"
  })
  void shouldMeasureEachPointOfLongFigures(String words, int points) throws Exception {
    requireEachPoint(words, points);
  }

  private static void requireEachPoint(String words, int points) throws Exception {
    Outcome outcome = Outcome.of(Figures.class, words + " --rounds 1 --json");
    List<JsonNode> lines = outcome.lines("bench-heap-figures");

    assertThat(lines).as(outcome.errors()).hasSize(points);
    assertThat(lines).allMatch(line -> line.required("median").doubleValue() > 0);
  }

  @Test
  void shouldFindLessBlocksDepthFirst() throws Exception {
    List<JsonNode> lines =
        Outcome.of(Figures.class, "--figure traversal --rounds 1 --json")
            .lines("bench-heap-figures");

    assertThat(lines).hasSize(12);
    assertThat(lines.getFirst().required("kernel").textValue())
        .isEqualTo(System.getProperty("os.name") + " " + System.getProperty("os.version"));
    for (JsonNode line : lines) {
      boolean isDeep = line.required("serializer").textValue().startsWith("depth");
      int expected =
          switch (isDeep ? "1-0-0" : line.required("shape").textValue()) {
            case "1-0-0" -> 1;
            case "1-1-0", "1-2-0" -> 2 * 1024;
            default -> 3 * 1024;
          };
      assertThat(line.required("blocks").intValue()).as(line.toString()).isEqualTo(expected);
    }
  }

  @Test
  void shouldWriteAPageWithPlots() throws Exception {
    Path page = folder.resolve("figures.html");

    Outcome outcome =
        Outcome.of(
            Figures.class,
            "--figure traversal --shape 1-1-1 --rounds 1 --html " + Objects.requireNonNull(page));

    assertThat(outcome.status()).as(outcome.errors()).isZero();
    assertThat(outcome.output()).contains("breadth-first").contains("blocks");
    assertThat(Files.readString(page)).contains("traversal, 1-1-1").doesNotContain("@@");
  }

  @Test
  void shouldRefuseAFolderForThePageBeforeItMeasures() throws Exception {
    Outcome outcome = Outcome.of(Figures.class, "--figure traversal --rounds 1 --html " + folder);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.errors()).contains("--html: " + folder + " is a folder; name a file in it");
  }

  @Test
  void shouldSayWhichFiguresThereAre() throws Exception {
    Outcome outcome = Outcome.of(Figures.class, "--figure 7");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.errors()).contains("--figure must be one of latency, ");
  }
}
