package org.ringwire.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.tools.CommandRun;
import org.ringwire.tools.Main;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;

/** A benchmark whose processes, or requests, do not live as long as it. */
@EnabledOnOs(OS.LINUX) // where the words of a process can be read, however many they are
final class BrokenBenchTest {

  /** Status 2 would say that it cannot run here. */
  @ParameterizedTest
  @ValueSource(strings = {"sender", "receiver"})
  void shouldFailWhenAProcessDiesThatIsMeasured(String role) throws Exception {
    assertThatItFails(
        "measuring", ".BenchChild\0" + role, "sender", "pingpong", "--warmup=0", "--duration=60");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sender", "receiver"})
  void shouldFailWhenAProcessDiesThatIsIdle(String role) throws Exception {
    assertThatItFails("observing", ".BenchChild\0" + role, role, "idle", "--seconds=5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"node", "busy"})
  void shouldFailWhenAProcessDiesOfANodeWithManyPeers(String role) throws Exception {
    assertThatItFails(
        "warming up", ".ScaleChild\0" + role, "node", "scale", "--peers=1", "--warmup=60");
  }

  /** All of it is in one process: what may break off are the requests of a thread. */
  @Test
  void shouldFailWhenARequestBreaksOffBetweenNodesOfOneProcess() throws Exception {
    FutureTask<CommandRun> overload =
        new FutureTask<>(() ->
            CommandRun.of(
                "bench",
                "overload",
                "--transport=loopback",
                "--threads=1",
                "--waiting=always",
                "--seconds=600"));
    Thread.ofPlatform().daemon().start(overload);
    AtomicReference<@Nullable Thread> sender = new AtomicReference<>();
    await(
        "a request",
        () -> {
          sender.set(requesting());
          return sender.get() != null;
        });
    Objects.requireNonNull(sender.get()).interrupt();

    CommandRun run = overload.get(2, TimeUnit.MINUTES);
    assertThat(run.status()).as(run.err()).isOne();
    assertThat(run.err()).contains("ringwire bench overload: interrupted while ");
  }

  /** The thread that sends requests, if it does by now. */
  private static @Nullable Thread requesting() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each ->
            Stream.of(each.getValue()).anyMatch(frame -> frame.getMethodName().equals("roundTrip")))
        .map(Map.Entry::getKey)
        .findAny()
        .orElse(null);
  }

  /**
   * Ends a child in the middle.
   *
   * @param begun with which a line begins that says so
   * @param words of the child that is ended
   * @param told which child is said to have failed
   */
  private static void assertThatItFails(
      String begun, String words, String told, String benchmark, String... options)
      throws Exception {
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    List<String> arguments = new ArrayList<>(List.of("bench", benchmark));
    arguments.addAll(List.of(options));
    ChildCommand command = new ChildCommand("bench", Main.class, arguments.toArray(String[]::new));
    try (ChildProcess bench = ChildProcess.start(command, lines::add)) {
      await("a measurement", () -> lines.stream().anyMatch(line -> line.startsWith(begun)));
      ProcessHandle.of(bench.pid()).stream()
          .flatMap(ProcessHandle::descendants)
          .filter(child -> isOf(child, words))
          .forEach(ProcessHandle::destroyForcibly);

      assertThat(bench.onExit().get(2, TimeUnit.MINUTES)).as(lines.toString()).isOne();
      assertThat(bench.describeEnd())
          .contains("ringwire bench " + benchmark + ": " + told + " (process ");
    }
  }

  private static boolean isOf(ProcessHandle child, String words) {
    try {
      return Files.readString(Path.of("/proc/" + child.pid() + "/cmdline")).contains(words + "\0");
    } catch (IOException e) {
      return false; // it has just ended
    }
  }
}
