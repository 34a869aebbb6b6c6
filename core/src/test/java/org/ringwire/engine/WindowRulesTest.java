package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.SendStatus;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.TypeAnnouncement;

/** The rules 1 to 4 of the design, on windows and credit; docs/rules.md lists all. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class WindowRulesTest {

  private static final int PEER = 600;

  private static final int INITIAL_WINDOW = 64 << 10;

  private static final int MAX_WINDOW = 2 << 20;

  record Ask(long number) {}

  record Event(long number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Blob(byte[] bytes) {}

  private static TypeAnnouncement type(Class<?> type) {
    return FrameEncoder.announcementOf(new MessageCatalog().typeOf(type));
  }

  // 1

  /** What a peer has seen of the window that it was granted. */
  private static final class Sender {
    final RawPeer peer;
    final int id;
    long sent;
    long granted = INITIAL_WINDOW;
    long processed;
    long widest = INITIAL_WINDOW;

    Sender(RawPeer peer, int id) {
      this.peer = peer;
      this.id = id;
    }

    /** Sends as much as it may. */
    void sendWindow() throws IOException {
      while (sent + 16 > granted) {
        RawPeer.Frame credit = peer.await(FrameLayout.CREDIT);
        processed = credit.word(0);
        granted = credit.word(2);
        widest = Math.max(widest, granted - processed);
      }
      int count = (int) ((granted - sent) / 16);
      byte[] one = frame(FrameLayout.MESSAGE, id, words(1));
      byte[] all = new byte[16 * count];
      for (int index = 0; index < count; index++) {
        System.arraycopy(one, 0, all, 16 * index, 16);
      }
      peer.send(all);
      sent += all.length;
    }
  }

  @Test
  void shouldGrowTheWindowOfABusyPeerUpToItsBound() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node = nodes.open(1);
      node.handle(Event.class, (event, exchange) -> {});
      try (RawPeer peer = RawPeer.join(node, PEER, type(Event.class))) {
        Sender sender = new Sender(peer, type(Event.class).id());
        for (int round = 0; round < 200 && sender.widest < MAX_WINDOW; round++) {
          sender.sendWindow();
        }
        assertThat(sender.widest).isEqualTo(MAX_WINDOW);
        assertThat(node.metrics().framesRejected()).isZero();
      }
    }
  }

  @Test
  void shouldReturnCreditAtTheThresholdThatIsConfigured() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node =
          nodes.open(1, settings -> settings.creditThreshold(0.1).keepAlive(Duration.ofHours(1)));
      node.handle(Event.class, Dispatch.INLINE, (event, exchange) -> {});
      try (RawPeer peer = RawPeer.join(node, PEER, type(Event.class))) {
        byte[] one = frame(FrameLayout.MESSAGE, type(Event.class).id(), words(1));
        int due = INITIAL_WINDOW / 10;
        int sent = 0;
        for (; sent < due; sent += one.length) {
          peer.send(one);
        }
        RawPeer.Frame credit = peer.await(FrameLayout.CREDIT); // with 0.6 none would come
        assertThat(credit.word(0)).isBetween((long) due, (long) sent);
      }
    }
  }

  @Test
  void shouldNeverGrantMoreThanTheBudgetOfTheNode() throws IOException {
    int budget = 1 << 20;
    int most = budget / INITIAL_WINDOW;
    List<Sender> senders = new ArrayList<>();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node = nodes.open(1, settings -> settings.windowBudget(budget));
      node.handle(Event.class, (event, exchange) -> {});
      int id = type(Event.class).id();
      for (int index = 0; index < 6; index++) {
        RawPeer peer = RawPeer.join(node, PEER + index, type(Event.class));
        senders.add(new Sender(peer, id));
      }
      for (int round = 0; round < 30; round++) {
        for (Sender sender : senders) {
          sender.sendWindow();
        }
      }
      assertThat(senders.stream().mapToLong(sender -> sender.widest).sum())
          .isGreaterThan(6 * INITIAL_WINDOW)
          .isLessThanOrEqualTo(budget);
      int admitted = 6;
      RawPeer.Frame refusal = null;
      while (refusal == null) {
        assertThat(admitted).isLessThanOrEqualTo(most);
        RawPeer peer = RawPeer.connect(node);
        senders.add(new Sender(peer, id));
        int peerId = PEER + admitted;
        peer.send(RawPeer.hello(peerId, 9, "default", type(Event.class)).encode());
        RawPeer.Frame answer = peer.read();
        assertThat(answer).isNotNull();
        refusal = answer.kind() == FrameLayout.REFUSE ? answer : null;
        admitted++;
      }
      assertThat(RefusalReason.of(refusal.type())).isEqualTo(RefusalReason.LIMIT);
      senders.get(0).sendWindow(); // the others go on
      for (Sender sender : senders) {
        sender.peer.close();
      }
    }
  }

  // 3

  @Test
  void shouldCreditWhatHandlersHaveProcessedOnly() throws IOException {
    CountDownLatch release = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node = nodes.open(1);
      node.handle(
          Event.class,
          (event, exchange) -> assertThat(release.await(60, TimeUnit.SECONDS)).isTrue());
      try (RawPeer peer = RawPeer.join(node, PEER, type(Event.class))) {
        Sender sender = new Sender(peer, type(Event.class).id());
        sender.sendWindow();
        peer.send(frame(FrameLayout.PING, 0, words(1)));
        assertThat(peer.read().kind()).as("no credit before").isEqualTo(FrameLayout.PONG);
        await("all arrived", () -> node.metrics().messagesReceived() == sender.sent / 16);
        release.countDown();
        assertThat(peer.await(FrameLayout.CREDIT).word(0)).isPositive();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldStopSendersWhileNothingIsProcessed(String transport) {
    CountDownLatch release = new CountDownLatch(1);
    AtomicLong handled = new AtomicLong();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.window(INITIAL_WINDOW, INITIAL_WINDOW));
      Node two = nodes.open(2, settings -> settings.window(INITIAL_WINDOW, INITIAL_WINDOW));
      two.handle(
          Event.class,
          (event, exchange) -> {
            assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
            handled.incrementAndGet();
          });
      one.send(2, new Event(0));
      long accepted = 1;
      while (one.trySend(2, new Event(accepted)) == SendStatus.ACCEPTED) {
        accepted++;
      }
      assertThat(one.trySend(2, new Event(0))).isEqualTo(SendStatus.BACK_PRESSURED);
      assertThat(accepted).isEqualTo(INITIAL_WINDOW / 16);
      assertThat(one.metrics().connections().getFirst().uncreditedBytes())
          .isEqualTo(INITIAL_WINDOW);
      release.countDown();
      long all = accepted;
      await("all are handled", () -> handled.get() == all);
      one.send(2, new Event(1));
    }
  }

  // 4

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldReturnResponsesLongerThanTheirReservation(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1);
      Node two = nodes.open(2);
      two.handle(
          Ask.class,
          Dispatch.INLINE,
          (ask, exchange) -> {
            byte[] bytes = new byte[(int) ask.number()];
            new Random(ask.number()).nextBytes(bytes);
            exchange.reply(new Blob(bytes));
          });
      List<CompletableFuture<Blob>> answers = new ArrayList<>();
      int[] sizes = {0, 65_000, 65_500, 65_536, 66_000, 1 << 20, 10 << 20};
      for (int size : sizes) {
        answers.add(one.requestAsync(2, new Ask(size), Blob.class));
      }
      for (int index = 0; index < sizes.length; index++) {
        byte[] expected = new byte[sizes[index]];
        new Random(sizes[index]).nextBytes(expected);
        assertThat(answers.get(index).orTimeout(30, TimeUnit.SECONDS).join().bytes())
            .isEqualTo(expected);
      }
    }
  }
}
