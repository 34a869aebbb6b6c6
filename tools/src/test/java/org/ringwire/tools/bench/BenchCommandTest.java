package org.ringwire.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.tools.CommandRun;
import org.ringwire.tools.Schemas;
import org.ringwire.tools.bench.measure.AllowedCores;

/** Runs the benchmarks for real, for a fraction of a second each. */
final class BenchCommandTest {

  private static final String SHORT = " --duration 0.1 --warmup 0.05 --json";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stream --threads 3 --handler pooled --handlers 2 --drain io",
        "stream --threads 2 --handler pooled --ordered --codec record --pin two",
        "stream --payload 0 --mode spin",
        "pingpong --threads 4 --virtual --handler pooled --payload 1000",
        "pingpong --mode spin --codec record --pin one",
        "stream --tls --payload 1000"
      })
  void shouldMeasureTwoProcesses(String options) {
    assumeThat(!options.contains("--pin two") || AllowedCores.list().size() > 1).isTrue();
    JsonNode line = run(0, options);

    assertThat(line.get("messages").longValue()).isPositive();
    assertThat(line.get("lost").longValue()).isZero();
    assertThat(line.get("duplicated").longValue()).isZero();
    assertThat(line.get("transport").asText())
        .isEqualTo(options.contains("--tls") ? "tcp+tls" : "tcp");
    assertThat(line.get("rttMicros").isNull()).isEqualTo(options.startsWith("stream"));
    JsonNode calls = line.get("systemCallsPerThousandMessages");
    assertThat(calls.get("writes").doubleValue()).isPositive();
    assertThat(calls.get("reads").doubleValue()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stream --transport loopback",
        "stream --transport loopback --threads 2 --handler pooled --handlers 2",
        "stream --transport loopback --handler blocking",
        "stream --in-process --payload 70000",
        "pingpong --transport loopback --handler blocking",
        "pingpong --in-process --payload 3000000",
        "pingpong --in-process --tls"
      })
  void shouldMeasureOneProcess(String options) {
    JsonNode line = run(0, options);

    assertThat(line.get("messages").longValue()).isPositive();
    assertThat(line.get("lost").longValue()).isZero();
    assertThat(line.get("duplicated").longValue()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"stream", "pingpong --in-process"})
  void shouldGoOnWarmingUpWhileTheCompilersHaveNotRested(String options) {
    String line = "bench " + options + " --duration 0.1 --warmup 0.5..1.15 --json";
    CommandRun run = CommandRun.of(line.split(" ", -1));

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(Schemas.problems("bench", run.out())).isEmpty();
    double warmUpSeconds = tree(run.out()).get("warmUpSeconds").doubleValue();
    assertThat(warmUpSeconds).as("two seconds of rest are longer").isEqualTo(1.1, within(1e-9));
    assertThat(run.err()).contains("warming up for 0.5 to 1.15 s, until the compilers rest");
  }

  @ParameterizedTest
  @CsvSource({
    "stream --in-process, loss, lost",
    "stream --in-process, duplicate, duplicated",
    "stream --in-process, reorder, outOfOrder",
    "stream --in-process --handler pooled --ordered, reorder, outOfOrder",
    "stream --in-process --handler pooled --handlers 2, loss, lost",
    "stream --in-process --handler pooled --handlers 2, duplicate, duplicated",
    "pingpong --in-process, loss, lost",
    "pingpong --in-process, duplicate, duplicated",
    "pingpong --in-process --handler pooled, reorder, outOfOrder"
  })
  void shouldNoticeWhatTheSenderDoesWrong(String options, String corruption, String field) {
    JsonNode line = run(1, options + " --corrupt " + corruption);

    for (String each : List.of("lost", "duplicated", "outOfOrder")) {
      assertThat(line.get(each).asLong()).as(each).isEqualTo(each.equals(field) ? 1 : 0);
    }
  }

  @Test
  void shouldSayAlsoWhereSomethingIsWrongThatOrderWasNotAskedFor() {
    String options = "--in-process --handler pooled --corrupt duplicate --duration 0.1 --warmup 0";
    CommandRun run = CommandRun.of(("bench stream " + options).split(" "));

    assertThat(run.status()).as(run.err()).isOne();
    assertThat(run.err())
        .contains("not verified: lost 0, duplicated 1, out of order not asked for")
        .doesNotContain("null");
  }

  @Test
  void shouldCountMessagesAndTimeAlike() {
    JsonNode line = run(0, "stream --in-process --payload 100");

    double seconds = line.get("seconds").doubleValue();
    double messages = line.get("messages").doubleValue();
    assertThat(seconds).isGreaterThanOrEqualTo(0.1);
    assertThat(line.get("messagesPerSecond").doubleValue()).isEqualTo(messages / seconds);
    assertThat(line.get("payloadBytesPerSecond").doubleValue()).isEqualTo(messages / seconds * 100);
    assertThat(line.get("nanosPerMessage").doubleValue()).isEqualTo(seconds * 1e9 / messages);
  }

  @Test
  void shouldPauseBeforeEachRoundTripThatIsMeasured() {
    JsonNode line = run(0, "pingpong --in-process --pause 0.02");

    long most = (long) (line.get("seconds").doubleValue() / 0.02) + 2; // with the last one
    assertThat(line.get("messages").longValue()).isBetween(1L, most);
  }

  @Test
  void shouldRefuseAPauseWhereNobodyWaitsForAnswers() {
    CommandRun run = CommandRun.of("bench", "stream", "--in-process", "--pause", "0.1");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--pause is between round trips");
  }

  @Test
  void shouldObserveAnIdlePair() {
    CommandRun run = CommandRun.of("bench", "idle", "--seconds", "0.5", "--json");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(Schemas.problems("bench-idle", run.out())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldMeasureEveryWayToWaitWithEveryNumberOfThreads(String transport) {
    String options = "--threads 1,5 --waiting never,always,adaptive --rounds 2 --seconds 0.05";
    List<String> words = new ArrayList<>(List.of("bench", "overload", "--transport", transport));
    words.addAll(Arrays.asList((options + " --json").split(" ", -1)));
    CommandRun run = CommandRun.of(words.toArray(String[]::new));

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).contains("warming up: never", "round 2 of 2: adaptive");
    assertThat(Schemas.problems("bench-overload", run.out())).isEmpty();
    List<String> points = new ArrayList<>();
    tree(run.out())
        .get("points")
        .forEach(point -> {
          points.add(point.get("waiting").asText() + " " + point.get("threads").asInt());
          JsonNode trip = point.get("roundTripMicros");
          assertThat(trip.get("min").doubleValue()).isPositive();
          assertThat(trip.get("median").doubleValue())
              .isBetween(trip.get("min").doubleValue(), trip.get("max").doubleValue());
        });
    assertThat(points)
        .containsExactly("never 1", "never 5", "always 1", "always 5", "adaptive 1", "adaptive 5");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--threads 0",
        "--threads 1,1",
        "--waiting seldom",
        "--waiting always,always",
        "--rounds 0",
        "--seconds 0"
      })
  void shouldRefuseOverloadsThatMakeNoSense(String options) {
    List<String> words = new ArrayList<>(List.of("bench", "overload"));
    words.addAll(Arrays.asList(options.split(" ", -1)));

    CommandRun run = CommandRun.of(words.toArray(String[]::new));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(words.get(2));
  }

  private static JsonNode run(int status, String options) {
    List<String> words = new ArrayList<>(List.of("bench"));
    words.addAll(Arrays.asList((options + SHORT).split(" ", -1)));
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assertThat(run.status()).as(run.err()).isEqualTo(status);
    assertThat(run.out().strip()).as("one line").doesNotContain("\n");
    assertThat(Schemas.problems("bench", run.out())).isEmpty();
    return tree(run.out());
  }

  private static JsonNode tree(String json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }
}
