package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.ConnectionLostException;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.shm.ShmEchoProgram.Word;

/** Two processes that share memory. */
@ExtendWith(NodeWatcher.class)
@Timeout(120)
class ShmSystemTest {

  @TempDir Path folder;

  private record Child(Process process, String address) implements AutoCloseable {

    static Child start(String... args) throws IOException {
      List<String> words =
          JavaProgram.command(
              ShmEchoProgram.class,
              "-XX:TieredStopAtLevel=1",
              "--illegal-native-access=deny",
              "--sun-misc-unsafe-memory-access=deny");
      Collections.addAll(words, args);
      Process process =
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      String ready = out.readLine();
      assertThat(ready).startsWith("READY ");
      return new Child(process, ready.substring("READY ".length()));
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
  }

  @Test
  void shouldNoticeAtOnceThatPeerWasKilledAndGoOnWithTheNext() throws Exception {
    Path socket = folder.resolve("socket");
    NodeDirectory peers = NodeDirectory.of(Map.of(2, socket.toString()));
    try (Node node =
        Node.open(ShmEchoProgram.config(1, peers).keepAlive(Duration.ofHours(1)).build())) {
      CompletableFuture<Word> outstanding;
      try (Child child = Child.start(socket.toString())) {
        assertThat(echo(node, 1)).isEqualTo(1);
        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> sendUntilLost(node));
        for (int number = 0; number < 1000; number++) {
          assertThat(echo(node, number)).isEqualTo(number); // responses come through a full ring
        }
        stop(child.process());
        outstanding = node.requestAsync(2, new Word(1, "to nobody"), Word.class);
        Awaiting.await("it is on this connection", () -> node.metrics().requestsOutstanding() > 0);
        child.process().destroyForcibly();
        assertThatThrownBy(() -> outstanding.get(30, TimeUnit.SECONDS))
            .hasRootCauseInstanceOf(ConnectionLostException.class);
        sender.get(30, TimeUnit.SECONDS);
      }
      try (Child child = Child.start(socket.toString())) {
        assertThat(echoAgain(node, 2)).isEqualTo(2);
        assertThat(child.process().isAlive()).isTrue();
      }
    }
  }

  /** What the killed process has announced leads nowhere, until the next one announces itself. */
  @Test
  void shouldReachThePreferredPeerThatWasKilledAndStartedAgain() throws Exception {
    NodeDirectory.Mutable peers = NodeDirectory.mutable();
    BlockingQueue<LossReport> losses = new LinkedBlockingQueue<>();
    try (Node node =
        Node.open(
            ShmEchoProgram.preferring(1, peers)
                .listen("127.0.0.1:0")
                .keepAlive(Duration.ofHours(1))
                .listener(
                    new NodeListener() {
                      @Override
                      public void lost(LossReport report) {
                        losses.add(report);
                      }
                    })
                .build())) {
      String own = String.valueOf(node.address());
      String address;
      try (Child child = Child.start("127.0.0.1:0", own)) {
        address = child.address();
        peers.put(2, address);
        assertThat(echo(node, 1)).isEqualTo(1);
        assertThat(transport(node)).isEqualTo("shm");
        stop(child.process());
        CompletableFuture<Word> outstanding =
            node.requestAsync(2, new Word(1, "to nobody"), Word.class);
        Awaiting.await("it is on this connection", () -> node.metrics().requestsOutstanding() > 0);
        child.process().destroyForcibly();
        assertThatThrownBy(() -> outstanding.get(30, TimeUnit.SECONDS))
            .hasRootCauseInstanceOf(ConnectionLostException.class);
      }
      LossReport loss = losses.poll(30, TimeUnit.SECONDS);
      assertThat(loss).isNotNull();
      assertThat(loss.nodeId()).isEqualTo(2);
      assertThat(loss.reason()).isEqualTo(EndReason.LINK_LOST);
      assertThatThrownBy(() -> echo(node, 2)).isInstanceOf(NodeUnreachableException.class);
      try (Child child = Child.start(address, own)) {
        assertThat(child.address()).isEqualTo(address);
        Awaiting.await("an answer", () -> answers(node));
        assertThat(transport(node)).isEqualTo("shm");
      }
    }
  }

  private static String transport(Node node) {
    return node.metrics().connections().getFirst().transport();
  }

  private static boolean answers(Node node) {
    try {
      return echo(node, 3) == 3;
    } catch (MessagingException e) {
      return false; // it backs off
    }
  }

  private static long echo(Node node, long number) {
    return node.request(2, new Word(number, "text"), Word.class, TestNodes.PATIENCE).number();
  }

  /** The next attempt after a loss may find that loss. */
  private static long echoAgain(Node node, long number) {
    try {
      return echo(node, number);
    } catch (MessagingException e) {
      return echo(node, number);
    }
  }

  private static void sendUntilLost(Node node) {
    try {
      for (long number = 0; ; number++) {
        node.send(2, new Word(number, "one of very many, as fast as they can be sent"));
      }
    } catch (MessagingException e) {
      assertThat(e).hasMessageContaining("2"); // names the peer
    }
  }

  /**
   * Lets the process do nothing any more, so that what is sent now is not answered. The signal goes
   * to one thread, and stops the others when that one runs next, which takes a while on a busy
   * machine.
   */
  private static void stop(Process process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
    Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
    Awaiting.await("the stop of all threads", () -> allStopped(tasks));
  }

  private static boolean allStopped(Path tasks) {
    try (Stream<Path> all = Files.list(tasks)) {
      return all.allMatch(ShmSystemTest::isStopped);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isStopped(Path task) {
    try {
      String stat = Files.readString(task.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      return false; // it has ended meanwhile
    }
  }
}
