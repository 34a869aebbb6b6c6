package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeMetrics;
import org.ringwire.NodeMetrics.ConnectionMetrics;
import org.ringwire.NodeMetrics.SlowHandler;
import org.ringwire.SendStatus;
import org.ringwire.engine.inbound.SlowHandlers;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingLocalTransport;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.TransportProvider;

/** What a node says about itself. */
@ExtendWith(NodeWatcher.class)
class MetricsTest {

  record Ask(long number) {}

  record Fast(long number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    nodes.close();
  }

  private static ConnectionMetrics only(Node node) {
    assertThat(node.metrics().connections()).hasSize(1);
    return node.metrics().connections().getFirst();
  }

  @Test
  void shouldCountPerConnectionAndKeepTheSumsOfThoseThatEnded() {
    Duration never = Duration.ofHours(1); // a sign of life counts as bytes
    Node one = nodes.open(1, settings -> settings.keepAlive(never));
    Node two = nodes.open(2, settings -> settings.keepAlive(never));
    two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    for (int count = 0; count < 10; count++) {
      one.request(2, new Ask(count), Ask.class, PATIENCE);
    }
    ConnectionMetrics to = only(one);
    assertThat(to.nodeId()).isEqualTo(2);
    assertThat(to.messagesSent()).isEqualTo(10);
    assertThat(to.ringCapacity()).isEqualTo(1 << 20);
    assertThat(to.window()).isBetween(1L, 2L << 20);
    await("counted", () -> only(two).messagesReceived() == 10);
    assertThat(only(two).receiveWindow()).isEqualTo(64 << 10);
    NodeMetrics before = one.metrics();
    assertThat(before.nodeId()).isEqualTo(1);
    assertThat(before.connectAttempts()).isEqualTo(1);
    assertThat(before.messagesSent()).isEqualTo(10);
    assertThat(before.bytesSent()).isEqualTo(only(one).bytesSent()).isGreaterThan(160);
    assertThat(before.bytesReceived()).isGreaterThan(160);
    assertThat(before.memory().windowBytes()).isPositive();
    two.close();
    await("gone", () -> one.metrics().connections().isEmpty());
    NodeMetrics after = one.metrics();
    assertThat(after.messagesSent()).isEqualTo(10);
    assertThat(after.bytesSent()).isGreaterThanOrEqualTo(before.bytesSent());
    assertThat(after.bytesReceived()).isGreaterThanOrEqualTo(before.bytesReceived());
    assertThat(after.ageNs()).isGreaterThan(before.ageNs());
    await("the window is given back", () -> one.metrics().memory().windowBytes() == 0);
  }

  @Test
  void shouldNeverCountBackwardsWhileConnectionsComeAndGo() throws Exception {
    Node one = nodes.open(1);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger backwards = new AtomicInteger();
    Thread reader =
        Thread.ofPlatform()
            .start(() -> {
              long sent = 0;
              long bytes = 0;
              while (!over.get()) {
                NodeMetrics now = one.metrics();
                if (now.messagesSent() < sent || now.bytesSent() < bytes) {
                  backwards.incrementAndGet();
                }
                sent = now.messagesSent();
                bytes = now.bytesSent();
                Thread.onSpinWait();
              }
            });
    int rounds = 15;
    for (int round = 1; round <= rounds; round++) {
      try (RawPeer peer = RawPeer.join(one, 7)) {
        await("open", () -> one.trySend(7, new Ask(1)) == SendStatus.ACCEPTED);
        peer.await(org.ringwire.wire.FrameLayout.MESSAGE);
      }
      int expected = round;
      await("lost", () -> one.metrics().connectionsLost() == expected);
    }
    over.set(true);
    reader.join();
    assertThat(backwards).hasValue(0);
    assertThat(one.metrics().messagesSent()).isEqualTo(rounds);
  }

  /** A monitor takes the difference of the two for a queue. */
  @Test
  void shouldNotHaveHandledMoreThanHasArrived() {
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch written = new CountDownLatch(1);
    CountDownLatch seen = new CountDownLatch(1);
    two.handle(
        Ask.class,
        Dispatch.INLINE,
        (ask, exchange) -> {
          begun.countDown();
          CountDownLatch end = ask.number() == 0 ? written : seen;
          assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
        });
    two.handle(Fast.class, Dispatch.BLOCKING, (fast, exchange) -> {});
    try {
      one.send(2, new Ask(0));
      one.flush();
      await("it is handled", () -> begun.getCount() == 0);
      // while it is handled, the next two come together
      one.send(2, new Fast(1));
      one.send(2, new Ask(2));
      one.flush();
      await("all is written", () -> one.metrics().messagesSent() == 3);
      written.countDown();
      await("one is handled while its chunk is read", () -> two.metrics().messagesHandled() == 2);
      assertThat(two.metrics().messagesReceived()).isGreaterThanOrEqualTo(2);
    } finally {
      written.countDown();
      seen.countDown();
    }
    await("counted", () -> two.metrics().messagesReceived() == 3);
  }

  @Test
  void shouldShowWhoWaitsHowLongAndWhereMessagesAre() {
    Node receiver = nodes.open(1);
    CountDownLatch hold = new CountDownLatch(1);
    receiver.handle(
        Block.class,
        Dispatch.POOLED.inOrder(),
        (block, exchange) -> assertThat(hold.await(60, TimeUnit.SECONDS)).isTrue());
    Node sender = nodes.open(2);
    Thread blocked =
        Thread.ofPlatform()
            .start(() -> {
              for (int count = 0; count < 100; count++) {
                sender.send(1, new Block(new byte[1000]));
              }
            });
    try {
      await(
          "a sender waits",
          () ->
              sender.metrics().connections().stream()
                  .anyMatch(connection -> connection.waitingSenders() == 1));
      long early = sender.metrics().blockedNs();
      await("longer", () -> only(sender).blockedNs() > early);
      assertThat(only(sender).windowFill()).isGreaterThan(0.95);
      await("all that may be sent was written", () -> only(sender).ringFill() < 0.05);
      assertThat(only(sender).stalls()).isEqualTo(1);
      await(
          "and is queued",
          () ->
              only(receiver).queuedMessages() > 50
                  && only(receiver).queuedMessages() == only(receiver).messagesReceived());
      ConnectionMetrics from = only(receiver);
      assertThat(from.longestQueue()).isEqualTo(from.queuedMessages());
      assertThat(from.unprocessedBytes()).isGreaterThan(50_000);
      await("the first is handled", () -> receiver.metrics().handlers().busy() == 1);
      assertThat(receiver.metrics().memory().bufferBytes()).isGreaterThan(50_000);
    } finally {
      hold.countDown();
    }
    await("all handled", () -> receiver.metrics().messagesHandled() == 100);
    await("sent", () -> !blocked.isAlive());
    long blockedNs = sender.metrics().blockedNs();
    assertThat(only(sender).waitingSenders()).isZero();
    assertThat(blockedNs).isPositive();
    await("idle", () -> receiver.metrics().handlers().busy() == 0);
    assertThat(sender.metrics().blockedNs()).as("nobody waits").isEqualTo(blockedNs);
    assertThat(only(receiver).queuedMessages()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"INLINE", "POOLED", "BLOCKING"})
  void shouldNameTheTypesWhoseHandlersAreSlow(String mode) {
    Dispatch dispatch =
        mode.equals("INLINE")
            ? Dispatch.INLINE
            : mode.equals("POOLED") ? Dispatch.POOLED : Dispatch.BLOCKING;
    Node one = nodes.open(1);
    Node two = nodes.open(2, settings -> settings.slowHandlerTime(Duration.ofMillis(20)));
    SlowHandlers clock = ((MessagingNode) two).connections().services().slowHandlers();
    two.handle(
        Ask.class,
        dispatch,
        (ask, exchange) -> {
          long beganNs = clock.now();
          await("the clock, which a busy timer makes late", () -> clock.isSlow(beganNs));
          exchange.reply(ask);
        });
    two.handle(Fast.class, dispatch, (fast, exchange) -> exchange.reply(fast));
    for (int count = 0; count < 100; count++) {
      one.request(2, new Fast(count), Fast.class, PATIENCE);
    }
    assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
    await("found", () -> !slow(two, "Ask").isEmpty());
    SlowHandler slow = slow(two, "Ask").getFirst();
    assertThat(slow.count()).isEqualTo(1);
    assertThat(slow.longestNs())
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20))
        .isEqualTo(slow.lastNs());
  }

  /** Others may be there, too, whose thread did not run for a while. */
  private static List<SlowHandler> slow(Node node, String type) {
    return node.metrics().handlers().slow().stream()
        .filter(found -> found.messageType().contains(type))
        .toList();
  }

  @Test
  void shouldCountLossesByCauseAndAttemptsThatFailed() throws IOException {
    Node one = nodes.open(1, settings -> settings.connectTimeout(Duration.ofSeconds(10)));
    RawPeer.join(one, 3).close();
    await("the loss", () -> one.metrics().connectionsLost() == 1);
    assertThat(one.metrics().connectionEnds()).containsOnly(entry("LINK_LOST", 1L));
    try (RawPeer peer = RawPeer.join(one, 4)) {
      peer.send(RawPeer.frame(org.ringwire.wire.FrameLayout.HELLO, 0)).awaitEnd();
    }
    await("the other loss", () -> one.metrics().connectionsLost() == 2);
    assertThat(one.metrics().connectionEnds()).containsEntry("RULE_BROKEN", 1L);
    nodes.directory().put(9, "127.0.0.1:1"); // nobody listens
    try {
      one.send(9, new Ask(1));
    } catch (MessagingException e) {
      assertThat(e).hasMessageContaining("nodeId=9");
    }
    assertThat(one.metrics().connectAttempts()).isEqualTo(1);
    await("counted", () -> one.metrics().connectFailures() == 1);
  }

  @Test
  void shouldShowWhatTheTransportCounts() {
    TransportProvider real = Transports.named("shm");
    TransportProvider counting =
        ForwardingTransport.provider(
            real.name(),
            config ->
                new ForwardingLocalTransport(real.open(config)) {
                  @Override
                  public Map<String, Long> counters() {
                    return Map.of("calls", 7L);
                  }
                });
    Node node = nodes.added(MessagingNode.open(nodes.builder(1).build(), 1, counting));
    assertThat(node.metrics().transport()).containsExactly(entry("calls", 7L));
    assertThat(nodes.open(2).metrics().transport()).isEmpty();
  }
}
