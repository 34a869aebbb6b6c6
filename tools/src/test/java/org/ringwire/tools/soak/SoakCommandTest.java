package org.ringwire.tools.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.tools.CommandRun;
import org.ringwire.tools.Main;
import org.ringwire.tools.Schemas;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;

/** The soak as a whole, with processes; short. */
final class SoakCommandTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static JsonNode json(CommandRun run) throws Exception {
    assertThat(Schemas.problems("soak", run.out())).as(run.out() + run.err()).isEmpty();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  @Tag("nightly") // .ci/run has a soak of its own
  void shouldAccountForEveryMessageUnderChaos(@TempDir Path folder) throws Exception {
    Path kept = folder.resolve("ledger");
    CommandRun run =
        CommandRun.of(
            "soak",
            "--minutes=0.2",
            "--nodes=3",
            "--chaos",
            "--rate=1000",
            "--json",
            "--keep=" + kept);
    JsonNode result = json(run);
    assertThat(run.status()).as(run.out() + run.err()).isZero();
    assertThat(result.get("accepted").asLong()).isPositive();
    assertThat(result.get("delivered").asLong())
        .isBetween(
            result.get("accepted").asLong()
                - result.get("reportedLost").asLong()
                - result.get("uncertain").asLong(),
            result.get("accepted").asLong());
    assertThat(result.get("dismissals").asLong()).isPositive();
    int disturbances =
        result.get("kills").asInt() + result.get("stalls").asInt() + result.get("restarts").asInt();
    assertThat(disturbances).isPositive();
    try (var files = Files.list(kept)) {
      assertThat(files).isNotEmpty();
    }
  }

  @Test
  void shouldFailWhenTheLedgerDoesNotAddUp() throws Exception {
    CommandRun run =
        CommandRun.of(
            "soak", "--minutes=0.05", "--nodes=2", "--rate=300", "--json", "--corrupt=loss");
    JsonNode result = json(run);
    assertThat(run.status()).as(run.out() + run.err()).isOne();
    assertThat(result.get("unaccounted").asLong()).as(run.out()).isOne();
    assertThat(result.get("duplicated").asLong()).as(run.out()).isZero();
    assertThat(result.get("outOfOrder").asLong()).as(run.out()).isZero();
    assertThat(run.err()).contains("the ledger does not add up");
  }

  @Test
  void shouldLeaveNoProcessBehindWhenKilledWhileNodesStandStill() throws Exception {
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    ChildCommand command =
        new ChildCommand("soak", Main.class, "soak", "--nodes=2", "--chaos", "--minutes=10");
    try (ChildProcess soak = ChildProcess.start(command, lines::add)) {
      ProcessHandle handle = ProcessHandle.of(soak.pid()).orElseThrow();
      await("a node that stands still", () -> hasStoppedDescendant(handle));
      List<ProcessHandle> descendants = handle.descendants().toList();
      soak.kill();
      CompletableFuture<?>[] ends =
          descendants.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
      CompletableFuture.allOf(ends).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(descendants).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    }
  }

  private static boolean hasStoppedDescendant(ProcessHandle handle) {
    return handle
        .descendants()
        .anyMatch(child -> {
          try {
            String stat = Files.readString(Path.of("/proc/" + child.pid() + "/stat"));
            return stat.substring(stat.lastIndexOf(')')).startsWith(") T");
          } catch (IOException e) {
            return false; // it has just ended
          }
        });
  }

  @Test
  void shouldRefuseWhatMakesNoSense() {
    CommandRun run = CommandRun.of("soak", "--nodes=1");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--nodes takes a number from 2 to 32, not 1");
  }
}
