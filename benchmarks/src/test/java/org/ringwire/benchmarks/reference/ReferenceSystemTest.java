package org.ringwire.benchmarks.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the programs as a user does, for a moment each. */
class ReferenceSystemTest {
  private static final List<String> FIELDS =
      List.of(
          "benchmark",
          "system",
          "transport",
          "payloadBytes",
          "threads",
          "seconds",
          "messages",
          "messagesPerSecond",
          "payloadBytesPerSecond",
          "nanosPerMessage",
          "rttMicros",
          "lost",
          "duplicated",
          "outOfOrder",
          "allocatedBytesPerMessage",
          "java",
          "kernel",
          "cpus");

  private record Outcome(int status, String output, String errors) {
    JsonNode json() throws IOException {
      assertThat(status).as(errors).isZero();
      assertThat(output.lines()).hasSize(1);
      return new ObjectMapper().readTree(output);
    }
  }

  private static Process start(String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ReferenceMain.class.getName());
    command.addAll(List.of(words));
    return new ProcessBuilder(command).start();
  }

  private static Outcome run(String line) throws IOException, InterruptedException {
    Process process = start(line.split(" ", -1));
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(process.waitFor(), output, errors);
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--system reference --benchmark stream --threads 3 --payload 100",
        "--system reference --benchmark stream --payload 200000",
        "--system reference --benchmark requests --threads 3",
        "--system reference --benchmark pingpong --payload 0",
        "--system netty-nio --benchmark stream --threads 3",
        "--system netty-nio --benchmark requests --threads 3",
        "--system netty-epoll --benchmark pingpong"
      })
  void shouldMoveEveryMessage(String words) throws Exception {
    JsonNode result = run(words + " --duration 0.2 --warmup 0.1 --json").json();

    assertThat(names(result)).isEqualTo(FIELDS);
    assertThat(result.required("messages").asLong()).isPositive();
    assertThat(result.required("lost").asInt(-1)).isZero();
    assertThat(result.required("duplicated").asInt(-1)).isZero();
    assertThat(result.required("outOfOrder").asInt(-1)).isZero();
    assertThat(result.required("rttMicros").isObject()).isEqualTo(!words.contains("stream"));
  }

  private static List<String> names(JsonNode result) {
    List<String> names = new ArrayList<>();
    for (Iterator<String> each = result.fieldNames(); each.hasNext(); ) {
      names.add(each.next());
    }
    return names;
  }

  @Test
  void shouldCompileAndRunTheProgramInC() throws Exception {
    Outcome outcome = run("--system c --benchmark pingpong --duration 0.1 --warmup 0 --json");

    if (outcome.status() == 2) { // a machine without a compiler is told so
      assertThat(outcome.errors()).startsWith("reference: no C compiler");
    } else {
      assertThat(outcome.json().required("rttMicros").required("p50").asDouble()).isPositive();
    }
  }

  @Test
  void shouldSayWhatIsWrongInOneLine() throws Exception {
    Outcome outcome = run("--system reference --benchmark pingpong --threads 2");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.errors().lines())
        .containsExactly("reference: pingpong has one thread; use --benchmark requests for more");
  }

  @Test
  void shouldEndItsProcessesWhenItIsKilled() throws Exception {
    Process process =
        start("--system", "reference", "--benchmark", "stream", "--duration", "600", "--json");
    List<ProcessHandle> children = new ArrayList<>();
    try {
      while (process.isAlive() && children.size() < 2) {
        children = process.descendants().toList();
        Thread.onSpinWait();
      }
      assertThat(children).hasSize(2);

      process.destroyForcibly();

      for (ProcessHandle child : children) {
        child.onExit().get(30, TimeUnit.SECONDS);
      }
    } finally {
      process.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
