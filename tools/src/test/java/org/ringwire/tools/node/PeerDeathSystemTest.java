package org.ringwire.tools.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.ringwire.testing.Awaiting.await;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.ConnectionLostException;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.tools.node.DeliveryNode.Numbered;
import org.ringwire.tools.node.DeliveryNode.Unanswered;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildFailedException;
import org.ringwire.tools.process.ChildProcess;

/**
 * Kills a node with SIGKILL in the middle of traffic and starts it again: every outstanding request
 * ends, long before its time, nothing is delivered twice, traffic resumes. Stops one with SIGSTOP:
 * the same, except that only its silence tells.
 */
final class PeerDeathSystemTest {

  private static final int PEER = 2;
  private static final int MESSAGES = 1 << 25;
  private static final int THREADS = 6;
  private static final int ONE_WAY_PER_REQUEST = 20;
  private static final int ANSWERS = 500;
  private static final int UNANSWERED = 200;
  private static final int ATTEMPTS = 5;
  private static final long RETRY_NS = 1_000_000;
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir private Path folder;

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final AtomicLong nextId = new AtomicLong();
  private final Set<Long> answered = ConcurrentHashMap.newKeySet();
  private final Set<LossReport> losses = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();
  private final List<ChildProcess> children = new ArrayList<>();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;

  @AfterEach
  void endChildren() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    children.forEach(ChildProcess::kill);
    children.forEach(ChildProcess::close);
  }

  @Test
  void shouldSurviveTheDeathOfAPeer() throws Exception {
    Path file = folder.resolve("deliveries");
    try (DeliveryLog log = DeliveryLog.open(file, MESSAGES);
        Node node = open()) {
      ChildProcess peer = startPeer("127.0.0.1:0", file);
      startTraffic(node);
      List<CompletableFuture<?>> outstanding = requestInVain(node);
      await("traffic", () -> answered.size() > ANSWERS);

      peer.kill();
      peer.awaitExit(START);
      assertEndEarly(outstanding);

      long answersBefore = answered.size();
      restartPeer(file);
      await("traffic after the restart", () -> answered.size() > answersBefore + ANSWERS);
      stopTraffic();
      assertDeliveredOnce(log);
      assertThat(losses).isNotEmpty().allSatisfy(PeerDeathSystemTest::assertAddsUp);
    }
  }

  @Test
  void shouldFindAStoppedPeerAndGoOnWhenItDoes() throws Exception {
    Path file = folder.resolve("deliveries");
    try (DeliveryLog log = DeliveryLog.open(file, MESSAGES);
        Node node = open()) {
      ChildProcess peer = startPeer("127.0.0.1:0", file);
      startTraffic(node);
      List<CompletableFuture<?>> outstanding = requestInVain(node);
      await("traffic", () -> answered.size() > ANSWERS);

      signal(peer, "STOP"); // its connections stay, and say nothing
      await("requests end", () -> outstanding.stream().allMatch(CompletableFuture::isDone));
      assertThat(outstanding)
          .allSatisfy(future ->
              assertThat(future.exceptionNow())
                  .isInstanceOf(ConnectionLostException.class)
                  .hasMessageContaining("nodeId=" + PEER)
                  .hasMessageContaining("no sign of life"));
      await("the listener hears", () -> !losses.isEmpty());
      assertThat(losses)
          .allSatisfy(loss -> assertThat(loss.reason()).isEqualTo(EndReason.NO_SIGN_OF_LIFE));

      long answersBefore = answered.size();
      signal(peer, "CONT");
      await("traffic with the same process", () -> answered.size() > answersBefore + ANSWERS);
      stopTraffic();
      assertDeliveredOnce(log);
      assertThat(losses).allSatisfy(PeerDeathSystemTest::assertAddsUp);
    }
  }

  private static void signal(ChildProcess child, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(child.pid())).start();
    assertThat(kill.waitFor(START.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }

  private Node open() {
    return Node.open(
        NodeConfig.builder(1)
            .cluster("death")
            .peers(directory)
            .lookup(MethodHandles.lookup())
            .listener(
                new NodeListener() {
                  @Override
                  public void lost(LossReport report) {
                    losses.add(report);
                  }
                })
            .build());
  }

  private ChildProcess startPeer(String listen, Path file) {
    ChildProcess child =
        ChildProcess.start(
            new ChildCommand(
                    "peer",
                    DeliveryNode.class,
                    Integer.toString(PEER),
                    listen,
                    file.toString(),
                    Integer.toString(MESSAGES))
                .withVmOptions("-XX:TieredStopAtLevel=1"),
            line -> {
              errors.add(line);
              System.err.println("[peer] " + line);
            });
    children.add(child);
    directory.put(PEER, child.awaitReady(START));
    return child;
  }

  /** Where it was: others, or attempts to reach it, may have taken the port for a moment. */
  private void restartPeer(Path file) {
    String address = String.valueOf(directory.address(PEER));
    for (int attempt = 1; ; attempt++) {
      try {
        startPeer(address, file);
        return;
      } catch (ChildFailedException e) {
        if (attempt == ATTEMPTS || errors.stream().noneMatch(line -> line.contains("in use"))) {
          throw e;
        }
      }
    }
  }

  /** One-way messages and requests, each with an id that is used once. */
  private void startTraffic(Node node) {
    for (int i = 0; i < THREADS; i++) {
      threads.add(Thread.ofPlatform().start(() -> talk(node)));
    }
  }

  private void talk(Node node) {
    while (!stopped) {
      try {
        for (int i = 0; i < ONE_WAY_PER_REQUEST; i++) {
          node.send(PEER, new Numbered(nextId.getAndIncrement()));
        }
        long id = nextId.getAndIncrement();
        node.request(PEER, new Numbered(id), Numbered.class, LONG);
        answered.add(id);
      } catch (MessagingException _) {
        LockSupport.parkNanos(RETRY_NS); // the peer is down; a later one may get through
      }
    }
  }

  private static List<CompletableFuture<?>> requestInVain(Node node) {
    List<CompletableFuture<?>> futures = new ArrayList<>();
    for (int i = 0; i < UNANSWERED; i++) {
      futures.add(node.requestAsync(PEER, new Unanswered(i), Unanswered.class, LONG));
    }
    return futures;
  }

  private static void assertEndEarly(List<CompletableFuture<?>> futures) throws Exception {
    CompletableFuture<?> all =
        CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
            .handle((_, error) -> error);
    all.get(LONG.dividedBy(4).toSeconds(), TimeUnit.SECONDS);
    assertThat(futures)
        .allSatisfy(future ->
            assertThat(future.exceptionNow()).isInstanceOf(ConnectionLostException.class));
  }

  private void stopTraffic() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void assertDeliveredOnce(DeliveryLog log) {
    for (long id = 0; id < nextId.get(); id++) {
      if (log.count(id) > 1) {
        fail("message %d was delivered %d times", id, log.count(id));
      }
    }
    assertThat(answered).allSatisfy(id -> assertThat(log.count(id)).isEqualTo(1));
  }

  private static void assertAddsUp(LossReport report) {
    assertThat(report.processed() + report.lost() + report.uncertain())
        .as(report.toString())
        .isEqualTo(report.accepted());
  }
}
