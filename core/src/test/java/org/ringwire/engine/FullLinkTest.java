package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeListener;
import org.ringwire.SendStatus;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;

/** A link that was full goes on when its peer has read, whatever its own reading thread does. */
@ExtendWith(NodeWatcher.class)
class FullLinkTest {

  private static final int LENGTH = 16 << 10;
  private static final int WINDOW = 64 << 20; // more than a kernel keeps

  /** Looks of the sender are a second apart, and peers hear of it as often. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(6);

  /** Longer than anybody waits for what is to come meanwhile. */
  private static final Duration LONGEST_HOLD = PATIENCE.multipliedBy(4);

  private static final int REFUSALS = 100;
  private static final long PAUSE_NS = 1_000_000;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  record Hold(long number) {}

  record Ask(long number) {}

  @TempDir Path folder;

  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();

  private final NodeListener listener = new Losses(losses);

  private final TestCertificates authority = new TestCertificates("authority");

  private Node open(TestNodes nodes, int id, String kind, Duration keepAlive) {
    NodeConfig.Builder settings =
        nodes
            .builder(id)
            .listen(kind.equals("shm") ? "*" : "127.0.0.1:0")
            .window(WINDOW, WINDOW)
            .keepAlive(keepAlive)
            .listener(listener);
    if (kind.equals("tls")) {
      settings.tls(authority.tls(folder, "default", id));
    }
    return nodes.added(Node.open(settings.build()));
  }

  private static void holdUp(CountDownLatch entered, CountDownLatch release)
      throws InterruptedException {
    entered.countDown();
    assertThat(release.await(LONGEST_HOLD.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private static void awaitEntry(CountDownLatch entered) throws InterruptedException {
    assertThat(entered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** Sends until nothing goes any more; returns how many messages were taken. */
  private static long fill(Node from, int to) {
    Block block = new Block(new byte[LENGTH]);
    long accepted = 0;
    for (int refused = 0; refused < REFUSALS; refused++) {
      while (from.trySend(to, block) == SendStatus.ACCEPTED) {
        accepted++;
        refused = 0;
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
    return accepted;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "tls", "shm"})
  void shouldGoOnWithAFullLinkWhileTheReadingThreadIsInALongHandler(String kind) throws Exception {
    CountDownLatch receiverEntered = new CountDownLatch(1);
    CountDownLatch receiverReleased = new CountDownLatch(1);
    CountDownLatch senderEntered = new CountDownLatch(1);
    CountDownLatch senderReleased = new CountDownLatch(1);
    AtomicLong received = new AtomicLong();
    try (TestNodes nodes = new TestNodes(kind.equals("shm") ? "shm" : "tcp");
        Closeable _ = senderReleased::countDown;
        Closeable _ = receiverReleased::countDown) { // before the nodes close
      Node receiver = open(nodes, 1, kind, Duration.ofDays(1));
      Node sender = open(nodes, 2, kind, KEEP_ALIVE);
      receiver.handle(
          Block.class,
          Dispatch.INLINE,
          (block, exchange) -> {
            holdUp(receiverEntered, receiverReleased);
            received.incrementAndGet();
          });
      sender.handle(
          Hold.class, Dispatch.INLINE, (hold, exchange) -> holdUp(senderEntered, senderReleased));
      sender.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(receiver.request(2, new Ask(1), Ask.class, PATIENCE).number()).isOne();
      sender.send(1, new Block(new byte[LENGTH]));
      awaitEntry(receiverEntered);
      long accepted = 1 + fill(sender, 1);
      receiver.send(2, new Hold(1));
      awaitEntry(senderEntered);
      receiverReleased.countDown();
      await("all messages, of " + accepted, () -> received.get() == accepted);
      assertThat(senderReleased.getCount()).as("the sender's reading thread is held").isOne();
      assertThat(losses).isEmpty();
    }
  }
}
