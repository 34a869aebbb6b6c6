package org.ringwire.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.tools.CommandRun;
import org.ringwire.tools.Schemas;

/** Benchmarks in JVMs that really are profiled. */
final class ProfiledBenchTest {

  /** Less processor time is too few samples. */
  private static final double LEAST_CPU_NS = 1e8;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "stream --payload 1000, sender receiver",
    "pingpong --transport loopback, both",
  })
  void shouldSayWhereTheTimeOfTheMeasurementWent(String options, String processes)
      throws IOException {
    Path profiles = folder.resolve("some, with\tspace");
    CommandRun run = run(options + " --duration 2 --warmup 4", profiles, "--json");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(Schemas.problems("bench", run.out())).isEmpty();
    JsonNode line = new ObjectMapper().readTree(run.out());
    Map<String, Double> nanos = new HashMap<>();
    List<String> parts = new ArrayList<>();
    for (JsonNode part : line.get("profile")) {
      parts.add(part.get("part").asText());
      nanos.merge(
          part.get("process").asText(), part.get("nanosPerMessage").doubleValue(), Double::sum);
    }
    assertThat(parts).contains("engine.outbound"); // a quarter of the samples, whatever runs beside
    assertThat(nanos).containsOnlyKeys(processes.split(" ", -1));
    double sum = nanos.values().stream().mapToDouble(Double::doubleValue).sum();
    double counted = 1e3 * line.get("cpuSecondsPerMillionMessages").doubleValue();
    if (counted * line.get("messages").longValue() >= LEAST_CPU_NS) {
      assertThat(sum / counted)
          .as("%s of the warm-up would be several times more", nanos)
          .isBetween(0.3, 1.5);
    }
    for (String process : processes.split(" ", -1)) {
      assertThat(Files.readString(profiles.resolve(process + ".collapsed")))
          .contains("org/ringwire/");
      assertThat(Files.readString(profiles.resolve(process + ".html")))
          .contains("<html", process + " nanoseconds", "canvas");
    }
  }

  @Test
  @Tag("nightly")
  void shouldShowPeopleATable() {
    CommandRun run = run("stream --duration 1 --warmup 0.2", folder);

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern("processor time, ns per message +sender +receiver\n")
        .containsPattern("(?m)^ +engine\\.outbound +\\d+\\.\\d\\d +\\d+\\.\\d\\d$")
        .containsPattern("(?m)^ +all +\\d+\\.\\d\\d +\\d+\\.\\d\\d$");
  }

  @ParameterizedTest
  @CsvSource({
    "file, --profile: %s is a file; name a folder",
    "file/within, --profile: the folder cannot be made: %s: Not a directory"
  })
  void shouldRefuseAFolderThatCannotBeMade(String name, String message) throws IOException {
    Files.writeString(folder.resolve("file"), "");
    Path profiles = folder.resolve(name);
    CommandRun run = run("stream", profiles);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .containsExactly("ringwire bench stream: " + message.formatted(profiles));
  }

  private static CommandRun run(String options, Path profiles, String... more) {
    List<String> words = new ArrayList<>(List.of("bench"));
    words.addAll(List.of(options.split(" ", -1)));
    words.addAll(List.of("--profile", profiles.toString()));
    words.addAll(List.of(more));
    return CommandRun.of(words.toArray(String[]::new));
  }
}
