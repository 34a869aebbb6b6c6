package org.ringwire.benchmarks.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.benchmarks.Outcome;

/** Runs the programs as a user does, for a moment each. */
class ReferenceSystemTest {
  private static final String PREFIX = "ringwire bench reference: ";
  private static final List<String> FIELDS =
      List.of(
          "benchmark",
          "system",
          "transport",
          "payloadBytes",
          "threads",
          "seconds",
          "warmUpSeconds",
          "messages",
          "messagesPerSecond",
          "payloadBytesPerSecond",
          "nanosPerMessage",
          "rttMicros",
          "lost",
          "duplicated",
          "outOfOrder",
          "allocatedBytesPerMessage",
          "cpuSecondsPerMillionMessages",
          "mode",
          "pinning",
          "java",
          "kernel",
          "cpus",
          "messagesPerFlush");

  private static Outcome run(String words) throws IOException, InterruptedException {
    return Outcome.of(ReferenceMain.class, words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--system reference --benchmark stream --threads 3 --payload 100",
        "--system reference --benchmark requests --threads 3",
        "--system netty-nio --benchmark stream --threads 3",
        "--system aeron-ipc --benchmark stream --threads 2",
        "--system grpc --benchmark stream --threads 2",
        "--system rmi --benchmark requests --threads 2"
      })
  void shouldMoveEveryMessage(String words) throws Exception {
    requireEveryMessage(words);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--system reference --benchmark stream --payload 200000",
        "--system reference --benchmark pingpong --payload 0",
        "--system netty-nio --benchmark requests --threads 3",
        "--system netty-epoll --benchmark pingpong",
        "--system aeron-udp --benchmark requests --threads 2",
        "--system jeromq --benchmark stream --threads 2",
        "--system aeron-ipc --benchmark stream --payload 200000",
        "--system aeron-ipc --benchmark requests --threads 3",
        "--system aeron-ipc --benchmark pingpong --mode spin --payload 0",
        "--system aeron-udp --benchmark stream --payload 200000",
        "--system aeron-udp --benchmark stream --threads 2",
        "--system aeron-udp --benchmark pingpong --payload 0",
        "--system jeromq --benchmark requests --threads 2 --payload 200000",
        "--system jeromq --benchmark pingpong --payload 0",
        "--system grpc --benchmark requests --threads 2 --payload 200000",
        "--system grpc --benchmark pingpong --payload 0",
        "--system rmi --benchmark pingpong --payload 200000"
      })
  void shouldMoveEveryMessageInEachBenchmark(String words) throws Exception {
    requireEveryMessage(words);
  }

  private static void requireEveryMessage(String words) throws Exception {
    JsonNode result = run(words + " --duration 0.2 --warmup 0.1 --json").json("bench");

    assertThat(names(result)).isEqualTo(FIELDS);
    assertThat(result.required("messages").asLong()).isPositive();
    assertThat(result.required("lost").asInt(-1)).isZero();
    assertThat(result.required("duplicated").asInt(-1)).isZero();
    assertThat(result.required("outOfOrder").asInt(-1)).isZero();
    assertThat(result.required("rttMicros").isObject()).isEqualTo(!words.contains("stream"));
  }

  @Test
  void shouldFlushAsOftenAsItIsTold() throws Exception {
    requireFlushes("netty-nio-aggregated");
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(strings = {"reference", "netty-nio"})
  void shouldFlushAsOftenAsItIsTold(String system) throws Exception {
    requireFlushes(system);
  }

  private static void requireFlushes(String system) throws Exception {
    String words =
        " --benchmark stream --duration 0.2 --warmup 0.1 --messages-per-flush 1000 --json";
    JsonNode result = run("--system " + system + words).json("bench");

    assertThat(result.required("messagesPerFlush").asInt()).isEqualTo(1000);
    assertThat(result.required("messages").asLong()).isPositive();
    assertThat(result.required("lost").asInt(-1)).isZero();
  }

  @Test
  void shouldGatherStreamsOverTheSelectorToo() throws Exception {
    JsonNode result =
        run("--system netty-nio-aggregated --benchmark stream --duration 0.2 --warmup 0.1 --json")
            .json("bench");

    assertThat(result.required("system").asText()).isEqualTo("netty-nio-aggregated");
    assertThat(result.required("messages").asLong()).isPositive();
    assertThat(result.required("lost").asInt(-1)).isZero();

    Outcome requests = run("--system netty-nio-aggregated --benchmark requests");
    assertThat(requests.status()).isEqualTo(2);
    assertThat(requests.errors()).contains("netty-nio-aggregated is for streams");
  }

  @Test
  void shouldListTheSystems() throws Exception {
    assertThat(run("list").output()).contains("reference ", "netty-epoll ");
    assertThat(run("list --json").lines("bench-compare"))
        .extracting(line -> line.required("system").asText())
        .isEqualTo(PeerSystem.labels());
    assertThat(run("--help").output()).contains("see `./ringwire bench reference list`");

    Outcome wrong = run("list --jsn");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.output()).isEmpty();
  }

  @Test
  void shouldGoOnWarmingUpWhileTheCompilersHaveNotRested() throws Exception {
    JsonNode result =
        run("--system reference --benchmark stream --duration 0.1 --warmup 0.5..1.15 --json")
            .json("bench");

    double warmUpSeconds = result.required("warmUpSeconds").asDouble();
    assertThat(warmUpSeconds).as("two seconds of rest are longer").isEqualTo(1.1);
  }

  /**
   * A thread of the driver's own would have to share its core with the one that asks, or answers.
   */
  @Test
  @EnabledOnOs(OS.LINUX) // where threads of another process have names
  void shouldLetTheThreadOfARoundTripDoTheWorkOfItsDriver() throws Exception {
    Process process =
        Outcome.start(
            ReferenceMain.class, "--system aeron-udp --benchmark pingpong --duration 600 --json");
    try {
      await(
          "two processes, one of which asks",
          () ->
              process.descendants().filter(each -> !threads(each).isEmpty()).count() == 2
                  && process.descendants().anyMatch(each -> threads(each).contains("sender-0")));

      assertThat(process.descendants())
          .flatExtracting(ReferenceSystemTest::threads)
          .isNotEmpty()
          .noneMatch(name -> name.startsWith("/")) // a driver, called like its folder
          .noneMatch(name -> name.startsWith("aeron-client"));
    } finally {
      List<ProcessHandle> children = process.descendants().toList();
      process.destroyForcibly(); // its children end by themselves, and delete what they have made
      for (ProcessHandle child : children) {
        child.onExit().get(30, TimeUnit.SECONDS);
      }
    }
  }

  private static List<String> threads(ProcessHandle process) {
    List<String> names = new ArrayList<>();
    try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      for (Path task : tasks.toList()) {
        names.add(Files.readString(task.resolve("comm")).trim());
      }
    } catch (IOException e) {
      return List.of(); // it has ended, or one of its threads has
    }
    return names;
  }

  private static List<String> names(JsonNode result) {
    List<String> names = new ArrayList<>();
    for (Iterator<String> each = result.fieldNames(); each.hasNext(); ) {
      names.add(each.next());
    }
    return names;
  }

  @ParameterizedTest
  @CsvSource({
    "c --benchmark pingpong, no C compiler",
    "c-unix --benchmark stream, no C compiler",
    "c-shm --benchmark pingpong, no C compiler",
    "c-shm --benchmark stream, no C compiler",
    "mpi-shm --benchmark stream, Open MPI is not installed"
  })
  void shouldCompileAndRunTheProgramInC(String words, String missing) throws Exception {
    Outcome outcome = run("--system " + words + " --duration 0.1 --warmup 0 --json");

    if (outcome.status() == 2) { // a machine without a compiler is told so
      assertThat(outcome.errors()).startsWith(PREFIX + missing);
    } else {
      assertThat(outcome.json("bench").required("messages").asLong()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c-io_uring --benchmark pingpong",
        "c-io_uring --benchmark stream",
        "c-io_uring-zerocopy --benchmark stream"
      })
  void shouldUseUringOrSayThatItCannot(String words) throws Exception {
    Outcome outcome = run("--system " + words + " --duration 0.1 --warmup 0 --json");

    if (outcome.status() == 2) { // containers forbid it, and not every machine has a compiler
      assertThat(outcome.errors())
          .containsAnyOf("c: io_uring is not to be had here", "6.1 or later", "no C compiler");
    } else {
      assertThat(outcome.json("bench").required("messages").asLong()).isPositive();
    }
  }

  @Test
  void shouldSayWhatIsWrongInOneLine() throws Exception {
    Outcome outcome = run("--system reference --benchmark pingpong --threads 2");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.errors().lines())
        .containsExactly(PREFIX + "pingpong has one thread; use --benchmark requests for more");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --system c --benchmark foo | --benchmark must be one of stream, pingpong, requests, not foo
          --system c --benchmark stream --write-size 0 | --write-size takes a number from 1 to 67108864, not 0
          --system reference --benchmark stream --payload -1 | --payload takes a number from 0 to 67108864, not -1
          --system reference --benchmark stream --duration NaN | --duration takes a number from 0.01 to 3600, not NaN
          --system reference --benchmark pingpong --pause 3601 | --pause takes a number from 0 to 3600, not 3601
          --system reference --benchmark stream --write-size 64 | --write-size is for streams of programs in C over sockets; leave it out
          --system c --benchmark pingpong --write-size 64 | --write-size is for streams of programs in C over sockets; leave it out
          """)
  void shouldRefuseValuesThatItWouldNotUse(String words, String message) throws Exception {
    Outcome outcome = run(words);

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.errors().lines()).containsExactly(PREFIX + message);
  }

  @Test
  void shouldEndItsProcessesWhenItIsKilled() throws Exception {
    Process process =
        Outcome.start(
            ReferenceMain.class, "--system reference --benchmark stream --duration 600 --json");
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
