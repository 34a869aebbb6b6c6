package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.inbound.InboundGrants;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.TypeAnnouncement;

/** What peers that break a rule have taken of the node's budgets comes back with their end. */
@ExtendWith(NodeWatcher.class)
class HostileBudgetTest {

  private static final int HOSTILE_ID = 666;
  private static final int LONG_BODY = 80 << 10;

  record Event(long number) {}

  record Blocking(long number) {}

  record InOrder(long number) {}

  private final MessageCatalog catalog = new MessageCatalog();
  private final TestNodes nodes = new TestNodes("tcp");
  private final Node victim = nodes.open(1);
  private long windows;

  @BeforeEach
  void begin() {
    victim.handle(Event.class, (event, exchange) -> {});
    victim.handle(Blocking.class, Dispatch.BLOCKING, (event, exchange) -> {});
    victim.handle(InOrder.class, Dispatch.BLOCKING.inOrder(), (event, exchange) -> {});
    windows = services().windows().available();
  }

  @AfterEach
  void end() {
    nodes.close();
  }

  private NodeServices services() {
    return ((MessagingNode) victim).connections().services();
  }

  private TypeAnnouncement type(Class<?> type) {
    return FrameEncoder.announcementOf(catalog.typeOf(type));
  }

  private RawPeer join() throws IOException {
    return RawPeer.join(
        victim, HOSTILE_ID, type(Event.class), type(Blocking.class), type(InOrder.class));
  }

  private void awaitBudgets() {
    await("the window", () -> services().windows().available() == windows);
    await("the grants", () -> services().grants().granted() == 0);
  }

  /** Sends a frame that breaks a rule, alone and by a grant. */
  private void breakRule(int typeId) throws IOException {
    try (RawPeer peer = join()) {
      peer.send(frame(FrameLayout.MESSAGE, typeId, words(1, 2))).awaitEnd();
    }
    awaitBudgets();
    try (RawPeer peer = join()) {
      long header =
          FrameLayout.granted(FrameLayout.header(FrameLayout.MESSAGE, typeId, 8 + LONG_BODY));
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(1, 8 + LONG_BODY)));
      assertThat(peer.await(FrameLayout.GRANT).word(0)).isEqualTo(1);
      HealthyPair.sendAndAwaitEnd(peer, words(header), new byte[LONG_BODY]);
    }
    awaitBudgets();
  }

  @Test
  void shouldHaveBackWhatAFrameOfAnUnknownTypeHasTaken() throws IOException {
    breakRule(4711);
  }

  @Test
  void shouldHaveBackWhatABodyHasTakenThatDoesNotDecode() throws IOException {
    breakRule(type(Event.class).id());
    breakRule(type(Blocking.class).id());
    breakRule(type(InOrder.class).id());
  }

  @Test
  void shouldHaveBackTheWindowThatWasExceeded() throws IOException {
    try (RawPeer peer = join()) {
      byte[] body = new byte[services().config().initialWindow()];
      HealthyPair.sendAndAwaitEnd(peer, frame(FrameLayout.MESSAGE, type(Event.class).id(), body));
    }
    awaitBudgets();
  }

  /** Two peers that take all that may be granted, and send nothing of it. */
  @Test
  void shouldTakeGrantsFromPeersThatKeepOthersWaiting() throws IOException {
    int length = services().config().maxMessageLength();
    try (RawPeer one = RawPeer.join(victim, HOSTILE_ID, type(Event.class));
        RawPeer two = RawPeer.join(victim, HOSTILE_ID + 1, type(Event.class));
        RawPeer third = RawPeer.join(victim, HOSTILE_ID + 2, type(Event.class))) {
      for (RawPeer peer : List.of(one, two)) {
        peer.send(frame(FrameLayout.ANNOUNCE, 0, words(1, length)));
        peer.send(frame(FrameLayout.ANNOUNCE, 0, words(2, length)));
        peer.await(FrameLayout.GRANT);
        peer.await(FrameLayout.GRANT);
      }
      third.send(frame(FrameLayout.ANNOUNCE, 0, words(1, length)));
      AtomicLong nowNs = new AtomicLong(System.nanoTime());
      await(
          "the end of both",
          () -> {
            services().grants().look(nowNs.addAndGet(5_000_000_000L), true);
            return victim.metrics().framesRejected() == 2;
          });
      assertThat(third.await(FrameLayout.GRANT).word(0)).isEqualTo(1);
      one.awaitEnd();
      two.awaitEnd();
    }
    awaitBudgets();
  }

  /** Whether somebody uses what he was granted does not wait for looks for signs of life. */
  @Test
  void shouldLookForUnusedGrantsHoweverRarelyItLooksForSignsOfLife() {
    NodeServices patient =
        ((MessagingNode) nodes.open(2, settings -> settings.keepAlive(Duration.ofDays(1))))
            .connections()
            .services();
    AtomicInteger looks = new AtomicInteger();
    long length = patient.config().maxMessageLength();
    InboundGrants grants =
        new InboundGrants(
            patient.grants(),
            length,
            Long.MAX_VALUE,
            granted -> {},
            (why, delayed) -> {},
            looks::incrementAndGet,
            violation -> {});
    long token = 0;
    long before;
    do { // until one waits
      before = patient.grants().granted();
      grants.announced(++token, length);
    } while (patient.grants().granted() > before);
    await("looks", () -> looks.get() > 2);
    grants.close();
    assertThat(patient.grants().granted()).isZero();
  }

  @Test
  void shouldNotLendTheSameGrantTwice() throws IOException {
    try (RawPeer peer = join()) {
      byte[] announce = frame(FrameLayout.ANNOUNCE, 0, words(1, LONG_BODY));
      peer.send(announce, announce).awaitEnd();
    }
    awaitBudgets();
    assertThat(victim.metrics().framesRejected()).isEqualTo(1);
  }

  @Test
  void shouldNotLetAPeerWaiveMoreThanItWasGranted() throws IOException {
    try (RawPeer peer = join()) {
      peer.send(frame(FrameLayout.MESSAGE, type(Event.class).id(), words(1)));
      peer.send(frame(FrameLayout.WAIVE, 0, words(Long.MAX_VALUE - 7))).awaitEnd();
    }
    awaitBudgets();
    assertThat(victim.metrics().framesRejected()).isEqualTo(1);
  }
}
