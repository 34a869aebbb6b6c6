package org.ringwire.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.tools.CommandRun;
import org.ringwire.tools.Main;
import org.ringwire.tools.Schemas;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;

/** A node in a process of its own under traffic, looked at by address and by process. */
final class TopSystemTest {

  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String ONE_LINE_LOGS =
      "-Djava.util.logging.SimpleFormatter.format=%4$s %5$s%6$s%n";

  /** Any process may be descheduled in the middle of its work where there are too few cores. */
  private static final String SCHEDULING = "claim open for too long";

  private final List<ChildProcess> children = new ArrayList<>();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();

  @AfterEach
  void endChildren() {
    children.forEach(ChildProcess::kill);
    children.forEach(ChildProcess::close);
  }

  private ChildProcess start(String name, String... words) {
    ChildCommand command =
        new ChildCommand(name, Main.class, words)
            .withVmOptions("-XX:TieredStopAtLevel=1", ONE_LINE_LOGS);
    ChildProcess child = ChildProcess.start(command, line -> errors.add(name + ": " + line));
    children.add(child);
    return child;
  }

  private ChildProcess startNode(String... options) {
    List<String> words =
        new ArrayList<>(
            List.of("node", "--id", "7", "--listen", "127.0.0.1:0", "--cluster", "test"));
    words.addAll(List.of(options));
    return start("node 7", words.toArray(String[]::new));
  }

  private void startTraffic(String address) {
    ChildProcess traffic =
        start(
            "traffic",
            "ping",
            address,
            "--cluster",
            "test",
            "--as",
            "42",
            "--interval",
            "0",
            "--timeout",
            String.valueOf(PATIENCE.toMillis()),
            "--count",
            "100000000");
    for (int line = 0; line < 100; line++) {
      traffic.awaitLine(START);
    }
  }

  private static CommandRun top(String... words) {
    List<String> all = new ArrayList<>(List.of("top", "--cluster", "test"));
    all.addAll(List.of(words));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private static void assertBusy(CommandRun run, int lines, int connections) {
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out().lines()).hasSize(lines);
    assertThat(run.out().lines())
        .allSatisfy(line -> {
          assertThat(Schemas.problems("top", line)).isEmpty();
          TopResult result = JsonLine.read(line, TopResult.class);
          assertThat(result.nodeId()).isEqualTo(7);
          assertThat(result.connections()).isEqualTo(connections);
          assertThat(result.intervalSeconds()).isGreaterThan(0.2);
          assertThat(result.peers()).anyMatch(each -> each.nodeId() == 42);
        });
    // The traffic may stand still for longer than an interval where there are too few cores.
    assertThat(run.out().lines().map(line -> JsonLine.read(line, TopResult.class)))
        .anySatisfy(result -> {
          assertThat(result.messagesReceived()).isPositive();
          assertThat(result.messagesHandled()).isPositive();
          assertThat(result.bytesReceived()).isGreaterThan(result.messagesReceived());
          TopResult.Peer peer =
              result.peers().stream().filter(each -> each.nodeId() == 42).findAny().orElseThrow();
          assertThat(peer.messagesReceived()).isPositive();
          assertThat(peer.bytesSent()).isPositive();
        });
  }

  @Test
  void shouldShowARunningNodeByAddressAndByProcess() {
    ChildProcess node = startNode();
    String address = node.awaitReady(START);
    startTraffic(address);

    assertBusy(top(address, "--json", "--count", "2", "--interval", "0.3"), 2, 2);
    String pid = "" + node.pid();
    assertBusy(CommandRun.of("top", pid, "--json", "--count", "3", "--interval", "0.3"), 3, 1);
    CommandRun people =
        CommandRun.of("top", pid, "--count", "2", "--interval", "0.3", "--rows", "5");
    assertThat(people.status()).as(people.err()).isZero();
    assertThat(people.out())
        .contains("node 7 (process " + node.pid() + ")   up 0:")
        .containsPattern("(?m)^ {4}42 +\\d")
        .contains("messages/s  sent ")
        .doesNotContain("\u001b");
    assertThat(people.out().split("node 7 ", -1)).hasSize(3);

    node.kill();
    node.awaitExit(PATIENCE);
    for (String target : List.of(address, pid)) {
      CommandRun gone = CommandRun.of("top", target, "--count", "1");
      assertThat(gone.status()).isEqualTo(2);
      assertThat(gone.out()).isEmpty();
      assertThat(gone.err()).startsWith("ringwire top: ").contains(target).hasLineCount(1);
    }
  }

  @Test
  void shouldEndInOneLineWhenTheNodeEndsMeanwhile() {
    ChildProcess node = startNode();
    String address = node.awaitReady(START);
    ChildProcess byAddress =
        start("by address", "top", address, "--cluster", "test", "--json", "--interval", "0.2");
    ChildProcess byProcess =
        start("by process", "top", "" + node.pid(), "--json", "--interval", "0.2");
    byAddress.awaitLine(START);
    byProcess.awaitLine(START);
    node.kill();
    assertThat(byAddress.awaitExit(START)).isEqualTo(2);
    assertThat(byProcess.awaitExit(START)).isEqualTo(2);
    for (ChildProcess top : List.of(byAddress, byProcess)) {
      assertThat(top.describeEnd()).contains("ringwire top: "); // its error output has ended then
      assertThat(errors)
          .as("one line")
          .filteredOn(line -> line.startsWith(top.name()) && !line.contains(SCHEDULING))
          .hasSize(1);
    }
  }

  /** The JDK waits for ever for one that somebody has looked into before. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "no signal stops a process there")
  void shouldNotWaitForAProcessThatStandsStill() throws Exception {
    ChildProcess node = startNode();
    node.awaitReady(START);
    String pid = "" + node.pid();
    ChildProcess watching = start("watching", "top", pid, "--json", "--interval", "0.2");
    watching.awaitLine(START);
    signal("STOP", pid);
    try {
      CommandRun late = CommandRun.of("top", pid, "--count", "1");
      assertThat(late.status()).isEqualTo(2);
      assertThat(late.err())
          .contains("cannot look into process " + pid + ": no answer in time, it may stand still")
          .hasLineCount(1);
      assertThat(watching.awaitExit(START)).isEqualTo(2);
      assertThat(watching.describeEnd())
          .contains("process " + pid + " does not answer any more: no answer in time");
    } finally {
      signal("CONT", pid);
    }
  }

  private static void signal(String name, String pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, pid).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  void shouldShowOnlyWhatAllowsIt(@TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789\n");
    ChildProcess node = startNode("--secret-file", secret.toString());
    String address = node.awaitReady(START);
    CommandRun stranger = top(address, "--count", "1");
    assertThat(stranger.status()).isEqualTo(2);
    assertThat(stranger.err()).contains("shared secret").hasLineCount(1);
    CommandRun known =
        top(address, "--count", "1", "--interval", "0.1", "--secret-file", secret.toString());
    assertThat(known.status()).as(known.err()).isZero();
    try (Node closed =
        Node.open(NodeConfig.builder(9).cluster("test").listen("127.0.0.1:0").build())) {
      CommandRun refused = top(String.valueOf(closed.address()), "--count", "1");
      assertThat(refused.status()).isEqualTo(2);
      assertThat(refused.err()).contains("NodeConfig.inspectable()").hasLineCount(1);
    }
    CommandRun same = top(address, "--as", "7", "--count", "1", "--secret-file", secret.toString());
    assertThat(same.status()).isEqualTo(2);
    assertThat(same.err()).contains("choose another id for this side with --as").hasLineCount(1);
    CommandRun none = CommandRun.of("top", "" + node.pid(), "--id", "8", "--count", "1");
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).contains("has no node 8, but 7").hasLineCount(1);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldLeaveOtherProgramsAlone() throws IOException {
    Process sleep = new ProcessBuilder("sleep", "600").start();
    try {
      CommandRun run = CommandRun.of("top", "" + sleep.pid(), "--count", "1");
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err())
          .contains("it is no JVM of this user, or does not answer")
          .doesNotContain("Exception")
          .hasLineCount(1)
          .doesNotContainPattern("[\\p{Cntrl}&&[^\n]]");
      assertThat(sleep.isAlive()).isTrue();
    } finally {
      sleep.destroyForcibly();
    }
  }
}
