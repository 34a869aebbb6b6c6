package org.ringwire.tools.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.tools.CommandRun;
import org.ringwire.tools.Main;
import org.ringwire.tools.Schemas;
import org.ringwire.tools.options.ThrowAwayTls;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;

/** Nodes in processes of their own, pinged, told to end, and started where they cannot run. */
final class NodeSystemTest {

  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Node 7 for the tests that leave it as it is, and where it listens. */
  private static ChildProcess common;

  private static String commonAddress;

  private final List<ChildProcess> children = new ArrayList<>();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void startCommonNode() {
    common = ChildProcess.start(command("node 7", node("7", "127.0.0.1:0")));
    commonAddress = common.awaitReady(START);
  }

  @AfterAll
  static void endCommonNode() {
    common.close();
  }

  @AfterEach
  void endChildren() {
    children.forEach(ChildProcess::kill);
    children.forEach(ChildProcess::close);
  }

  @Test
  void shouldAnswerPingsAndExitInOrderOnSigterm() {
    ChildProcess node = startNode("7", "127.0.0.1:0");
    String address = node.awaitReady(START);

    CommandRun ping = ping(address, "--count", "20", "--json");
    node.terminate();

    assertThat(ping.status()).as(ping.err()).isZero();
    assertThat(Schemas.problems("ping", ping.out())).isEmpty();
    assertThat(ping.out()).contains("\"sent\":20", "\"received\":20");
    assertThat(node.awaitExit(PATIENCE)).as(node::describeEnd).isZero();
    assertThat(node.describeEnd()).contains("node 7 handled 20 messages");
  }

  @Test
  void shouldPrintPingsForPeople() {
    CommandRun ping = ping(commonAddress, "--id", "7", "--count", "3", "--payload", "10000");

    assertThat(ping.status()).as(ping.err()).isZero();
    assertThat(ping.out()).contains("3 sent, 3 received; round trip in us: mean ");
  }

  @Test
  void shouldListenOnIpv6() throws IOException {
    assumeThat(NetworkInterface.getByInetAddress(InetAddress.getByName("::1"))).isNotNull();
    String address = startNode("7", "[::1]:0").awaitReady(START);

    assertThat(address).startsWith("[");
    assertThat(ping(address, "--count", "1").status()).isZero();
  }

  @Test
  void shouldLetInOnlyWhoKnowsTheSecret(@TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789\n");
    Path other = Files.writeString(folder.resolve("other"), "another one, just as long\n");
    Path guessed = Files.writeString(folder.resolve("guessed"), "12345\n");
    ChildProcess node = startNode("7", "0.0.0.0:0", "--secret-file", secret.toString());
    String address = node.awaitReady(START).replace("0.0.0.0", "127.0.0.1");

    assertThat(ping(address, "--count", "1", "--secret-file", secret.toString()).status()).isZero();
    CommandRun stranger = ping(address, "--count", "1");
    assertThat(stranger.status()).isEqualTo(2);
    assertThat(stranger.err())
        .contains("shared secret", "; check --secret-file")
        .doesNotContain("check that the node runs")
        .hasLineCount(1);
    CommandRun wrong = ping(address, "--count", "1", "--secret-file", other.toString());
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("does not know the shared secret").hasLineCount(1);
    CommandRun tooShort = ping(address, "--secret-file", guessed.toString());
    assertThat(tooShort.status()).isEqualTo(2);
    assertThat(tooShort.err()).contains("at least 16 bytes: length=5").hasLineCount(1);
  }

  @Test
  void shouldLetInOnlyWhoHasACertificate(@TempDir Path folder) throws IOException {
    try (ThrowAwayTls tls = ThrowAwayTls.create("test", 7);
        ThrowAwayTls other = ThrowAwayTls.create("test", 7)) {
      Path password = Files.writeString(folder.resolve("password"), "throw-away\n");
      Path wrong = Files.writeString(folder.resolve("wrong"), "thrown away\n");
      ChildProcess node = startNode("7", "0.0.0.0:0", tls(tls, password));
      String address = node.awaitReady(START).replace("0.0.0.0", "127.0.0.1");

      CommandRun friend = ping(address, with(tls(tls, password), "--count", "3"));
      assertThat(friend.status()).as(friend.err()).isZero();
      assertThat(friend.out()).contains("3 sent, 3 received");
      CommandRun plain = ping(address, "--count", "1");
      assertThat(plain.status()).isEqualTo(2);
      assertThat(plain.err()).contains("an alert of TLS, which the peer demands").hasLineCount(1);
      CommandRun stranger = ping(address, tls(other, password));
      assertThat(stranger.status()).isEqualTo(2);
      assertThat(stranger.err()).contains("does not lead to one that this node").hasLineCount(1);
      CommandRun locked = ping(address, tls(tls, wrong));
      assertThat(locked.status()).isEqualTo(2);
      assertThat(locked.err()).contains("or the password is wrong").hasLineCount(1);
      CommandRun half = ping(address, "--tls-identity", "x");
      assertThat(half.status()).isEqualTo(2);
      assertThat(half.err()).contains("both --tls-identity and --tls-trust").hasLineCount(1);
      CommandRun elsewhere =
          CommandRun.of(with(tls(tls, password), "ping", address, "--cluster", "other"));
      assertThat(elsewhere.status()).isEqualTo(2);
      assertThat(elsewhere.err()).contains("for no node of cluster other").hasLineCount(1);
    }
  }

  private static String[] tls(ThrowAwayTls tls, Path password) {
    return new String[] {
      "--tls-identity", tls.identity().toString(),
      "--tls-trust", tls.trust().toString(),
      "--tls-password-file", password.toString()
    };
  }

  private static String[] with(String[] options, String... words) {
    return Stream.concat(Stream.of(words), Stream.of(options)).toArray(String[]::new);
  }

  @Test
  void shouldOpenAPortToOtherMachinesOnlyWhenToldTo() {
    CommandRun refused = CommandRun.of("node", "--id", "7", "--listen", "0.0.0.0:0");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("--secret-file", "--open").hasLineCount(1);

    String address = startNode("7", "0.0.0.0:0", "--open").awaitReady(START);
    assertThat(ping(address.replace("0.0.0.0", "127.0.0.1"), "--count", "1").status()).isZero();
  }

  @Test
  void shouldSayThatTheIdIsTheOtherSides() {
    CommandRun ping = ping(commonAddress, "--as", "7");
    assertThat(ping.status()).isEqualTo(2);
    assertThat(ping.err())
        .contains("own id: nodeId=7", "choose another id", "--as")
        .hasLineCount(1);
    CommandRun same = ping(commonAddress, "--id", "7", "--as", "7");
    assertThat(same.status()).isEqualTo(2);
    assertThat(same.err()).contains("--id and --as must differ, both are 7").hasLineCount(1);
  }

  @Test
  void shouldRefuseAnotherCluster() {
    CommandRun ping = CommandRun.of("ping", commonAddress, "--cluster", "other");

    assertThat(ping.status()).isEqualTo(2);
    assertThat(ping.err().strip()).startsWith("ringwire ping: ").doesNotContain("\n");
  }

  @Test
  void shouldRefuseAnotherNode() {
    CommandRun ping = ping(commonAddress, "--id", "8");

    assertThat(ping.status()).isEqualTo(2);
    assertThat(ping.err().strip()).contains("7", "8").doesNotContain("\n");
  }

  @Test
  void shouldSayThatAPeerIsDown() {
    ChildProcess node = startNode("7", "127.0.0.1:0");
    String address = node.awaitReady(START);
    node.kill();
    node.awaitExit(PATIENCE);

    CommandRun ping = ping(address, "--count", "3");

    assertThat(ping.status()).isEqualTo(2);
    assertThat(ping.err().strip())
        .startsWith("ringwire ping: ")
        .contains(address)
        .doesNotContain("\n");
  }

  @Test
  void shouldSayThatAPortIsInUse() {
    ChildProcess second = startNode("8", commonAddress);

    assertThat(second.awaitExit(START)).isEqualTo(2);
    assertThat(second.describeEnd()).contains("ringwire node: ", commonAddress);
    assertThat(errors).as("lines on the error output").hasSize(1);
  }

  /** A node that cannot be what it is to be does not end like one that was told to. */
  @Test
  void shouldFailWhereThereIsNoJmx() {
    ChildCommand command =
        command("node 8", node("8", "127.0.0.1:0")).withVmOptions("--limit-modules=java.base");
    ChildProcess node = ChildProcess.start(command, errors::add);
    children.add(node);

    assertThat(node.awaitExit(START)).as(node::describeEnd).isEqualTo(2);
    assertThat(node.describeEnd()).contains("java.management").doesNotContain("handled");
  }

  @Test
  void shouldFinishOnSigtermWhatItHasAccepted()
      throws InterruptedException, ExecutionException, TimeoutException {
    ChildProcess child = startNode("7", "127.0.0.1:0");
    String address = child.awaitReady(START);
    NodeConfig config =
        NodeConfig.builder(1)
            .cluster("test")
            .peers(NodeDirectory.of(Map.of(7, address)))
            .lookup(MethodHandles.lookup())
            .build();
    try (Node node = Node.open(config)) {
      List<CompletableFuture<Echo>> answers = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        answers.add(node.requestAsync(7, new Echo(i, new byte[100]), Echo.class, PATIENCE));
      }
      answers.getFirst().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      child.terminate();

      assertThat(child.awaitExit(PATIENCE)).as(child::describeEnd).isZero();
      // Each request that was accepted has ended: most with an answer, a late one with an error.
      for (CompletableFuture<Echo> answer : answers) {
        assertThat(answer.handle((echo, error) -> error).get(30, TimeUnit.SECONDS))
            .satisfiesAnyOf(
                error -> assertThat(error).isNull(),
                error -> assertThat(error).isInstanceOf(MessagingException.class));
      }
    }
  }

  @Test
  void shouldBeReachedThroughSharedMemoryByWhoPrefersIt() {
    String[] options = {"--local-transport", "shm"};
    String address = startNode("7", "127.0.0.1:0", options).awaitReady(START);
    NodeConfig config = NodeConfig.builder(1).cluster("test").localTransport("shm").build();
    try (Node node = Node.open(config)) {
      assertThat(node.connect(address, PATIENCE)).isEqualTo(7);
      assertThat(node.metrics().connections().getFirst().transport()).isEqualTo("shm");
    }
    assertThat(ping(address, "--count", "3").status()).isZero(); // over tcp

    CommandRun unknown = CommandRun.of(node("8", "127.0.0.1:0", "--local-transport", "pigeon"));
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("no transport 'pigeon'").hasLineCount(1);
    CommandRun both =
        CommandRun.of(node("8", "127.0.0.1:0", "--local-transport", "shm", "--tls-identity", "x"));
    assertThat(both.status()).isEqualTo(2);
  }

  private ChildProcess startPing(String address, int intervalMs, int count) {
    return start(
        "requester",
        "ping",
        address,
        "--cluster",
        "test",
        "--timeout",
        "30000",
        "--interval",
        String.valueOf(intervalMs),
        "--count",
        String.valueOf(count));
  }

  @Test
  void shouldGoOnServingWhenARequesterIsKilled() {
    ChildProcess node = startNode("7", "127.0.0.1:0");
    String address = node.awaitReady(START);
    ChildProcess requester = startPing(address, 0, 1_000_000);
    for (int i = 0; i < 100; i++) {
      requester.awaitLine(START);
    }
    requester.kill();
    requester.awaitExit(PATIENCE);

    assertThat(ping(address, "--count", "5").status()).isZero();
    node.terminate();
    assertThat(node.awaitExit(PATIENCE)).as(node::describeEnd).isZero();
  }

  @Test
  void shouldCountPingsThatWereLost() {
    // All may be over before the node is killed, if this process stands still for so long.
    assertThat(losesPings(60) || losesPings(600)).isTrue();
  }

  /** Kills a node after the first of so many pings; returns whether that was before the last. */
  private boolean losesPings(int count) {
    ChildProcess node = startNode("7", "127.0.0.1:0");
    String address = node.awaitReady(START);
    ChildProcess requester = startPing(address, 50, count);
    assertThat(requester.awaitLine(START)).startsWith("ping 0 to node 7: ").endsWith(" us");
    node.kill();

    int status = requester.awaitExit(START);
    String last = "";
    while (!last.startsWith(count + " sent, ")) {
      last = requester.awaitLine(PATIENCE);
    }
    boolean loses = !last.startsWith(count + " sent, " + count + " received");
    assertThat(status).isEqualTo(loses ? 1 : 0);
    return loses;
  }

  private ChildProcess startNode(String id, String listen, String... options) {
    return start("node " + id, node(id, listen, options));
  }

  private static String[] node(String id, String listen, String... options) {
    return with(options, "node", "--id", id, "--listen", listen, "--cluster", "test");
  }

  private static ChildCommand command(String name, String... words) {
    return new ChildCommand(name, Main.class, words).withVmOptions("-XX:TieredStopAtLevel=1");
  }

  private ChildProcess start(String name, String... words) {
    ChildProcess child = ChildProcess.start(command(name, words), errors::add);
    children.add(child);
    return child;
  }

  private static CommandRun ping(String address, String... options) {
    return CommandRun.of(
        with(
            options,
            "ping",
            address,
            "--cluster",
            "test",
            "--interval",
            "0",
            "--timeout",
            String.valueOf(PATIENCE.toMillis())));
  }
}
