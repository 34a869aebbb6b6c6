package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.wire.TypeAnnouncement;

/**
 * A node that is attacked, while a healthy one keeps sending requests to it: whatever a test does,
 * the healthy one notices nothing.
 */
abstract class HealthyPair {

  static final int HOSTILE_ID = 666;

  static final int MAX_HANDSHAKES = 8;

  static final Duration HANDSHAKE_TIME = Duration.ofSeconds(2);

  record Ask(long number) {}

  record Event(long number) {}

  record Text(String text) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Numbers(long[] numbers) {}

  final TestNodes nodes = new TestNodes("tcp");

  final AtomicLong answered = new AtomicLong();

  final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();

  final Queue<String> refusals = new ConcurrentLinkedQueue<>();

  final Queue<Long> events = new ConcurrentLinkedQueue<>();

  final CountDownLatch release = new CountDownLatch(1);

  final MessageCatalog catalog = new MessageCatalog();

  volatile boolean stop;

  final Node victim = openVictim();

  final Thread healthy = new Thread(this::exchange);

  private Node openVictim() {
    return nodes.open(
        1,
        settings ->
            settings
                .maxHandshakes(MAX_HANDSHAKES)
                .connectTimeout(HANDSHAKE_TIME)
                .keepAlive(
                    PATIENCE.multipliedBy(2)) // hostile peers answer only when they are told to
                .handlerThreads(4)
                .listener(
                    new NodeListener() {
                      @Override
                      public void lost(LossReport report) {
                        losses.add(report);
                      }

                      @Override
                      public void refused(int nodeId, String reason) {
                        refusals.add(reason);
                      }
                    }));
  }

  @BeforeEach
  void begin() {
    victim.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    victim.handle(Event.class, (event, exchange) -> events.add(event.number()));
    victim.handle(Text.class, (text, exchange) -> {});
    victim.handle(
        Numbers.class,
        (numbers, exchange) -> assertThat(release.await(60, TimeUnit.SECONDS)).isTrue());
    nodes.open(2);
    healthy.start();
    awaitProgress();
  }

  private void exchange() {
    Node node = nodes.open(3);
    try {
      for (long number = 0; !stop; number++) {
        assertThat(node.request(1, new Ask(number), Ask.class, PATIENCE).number())
            .isEqualTo(number);
        answered.incrementAndGet();
      }
    } catch (RuntimeException | AssertionError e) {
      failures.add(e);
    }
  }

  /** The healthy node gets answers now. */
  void awaitProgress() {
    long before = answered.get();
    await("answers", () -> answered.get() > before + 20 || !failures.isEmpty());
    assertThat(failures).isEmpty();
  }

  @AfterEach
  void end() throws InterruptedException {
    awaitProgress();
    release.countDown();
    stop = true;
    healthy.join(PATIENCE);
    long lostFrom = losses.stream().filter(loss -> loss.nodeId() == 3).count();
    nodes.close();
    assertThat(failures).isEmpty();
    assertThat(lostFrom).as("connections of the healthy node").isZero();
  }

  TypeAnnouncement type(Class<?> type) {
    return FrameEncoder.announcementOf(catalog.typeOf(type));
  }

  RawPeer join(TypeAnnouncement... types) throws IOException {
    return RawPeer.join(victim, HOSTILE_ID, types);
  }

  void awaitRejected(long count) {
    await("rejected frames: " + count, () -> victim.metrics().framesRejected() == count);
  }

  static void sendAndAwaitEnd(RawPeer peer, byte[]... bytes) throws IOException {
    try {
      peer.send(bytes);
    } catch (IOException e) {
      return; // closed while we were sending
    }
    peer.awaitEnd();
  }
}
