package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.ConnectionLostException;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.SendStatus;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Welcome;

/** Peers that are gone without a word are found; those that are merely silent or busy are kept. */
@ExtendWith(NodeWatcher.class)
class KeepAliveTest {

  private static final Duration KEEP_ALIVE = Duration.ofMillis(900);

  /** Of those who must be kept: longer, for their threads may have to wait for a processor. */
  private static final Duration PATIENT = KEEP_ALIVE.multipliedBy(2);

  /** Of those who look seldom. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final int SILENT = 99;

  record Ask(long number) {}

  record Event(long number) {}

  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();

  private final NodeListener listener = new Losses(losses);

  private Node open(TestNodes nodes, int id) {
    return open(nodes, id, KEEP_ALIVE);
  }

  private Node open(TestNodes nodes, int id, Duration keepAlive) {
    return nodes.open(id, settings -> settings.keepAlive(keepAlive).listener(listener));
  }

  /** What was compiled without them would be discarded when the first one comes, in a silence. */
  @Test
  void shouldGiveSignsOfLifeAlsoWhileMessagesAreSent() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1, PATIENT);
      try (RawPeer peer = RawPeer.join(one, 5)) {
        AtomicBoolean done = new AtomicBoolean();
        Thread sending =
            Thread.startVirtualThread(() -> {
              while (!done.get()) {
                one.send(5, new Event(1));
                LockSupport.parkNanos(1_000_000);
              }
            });
        int messages = 0;
        for (int signs = 0; signs < 2; ) {
          int kind = Objects.requireNonNull(peer.read()).kind();
          signs += kind == FrameLayout.PONG ? 1 : 0;
          messages += kind == FrameLayout.MESSAGE ? 1 : 0;
        }
        done.set(true);
        assertThat(sending.join(PATIENCE)).isTrue();
        assertThat(messages).as("sent meanwhile").isGreaterThan(10);
      }
    }
  }

  @Test
  void shouldFindAPeerThatFallsSilentAndSayWhoAndWhy() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1, KEEP_ALIVE.multipliedBy(3));
      try (RawPeer peer = RawPeer.join(one, SILENT)) {
        one.send(SILENT, new Event(1));
        CompletableFuture<Ask> asked = one.requestAsync(SILENT, new Ask(1), Ask.class);
        peer.send(ControlFrames.pong(0)); // the last word: the next request comes in time
        assertThatThrownBy(() -> one.request(SILENT, new Ask(2), Ask.class, PATIENCE))
            .isInstanceOf(ConnectionLostException.class)
            .hasMessageContaining("nodeId=" + SILENT)
            .hasMessageContaining("no sign of life: nothing received for ")
            .hasMessageContaining(" ms: keepAlive=PT2.7S");
        assertThatThrownBy(() -> asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class)
            .cause()
            .hasMessageContaining("no sign of life");
        await("the listener hears", () -> losses.size() == 1);
        LossReport loss = losses.element();
        assertThat(loss.nodeId()).isEqualTo(SILENT);
        assertThat(loss.reason()).isEqualTo(EndReason.NO_SIGN_OF_LIFE);
        assertThat(loss.accepted()).isEqualTo(3);
        assertThat(loss.uncertain()).as("written, and never credited").isEqualTo(3);
        assertThat(one.metrics().connectionsLost()).isEqualTo(1);
        assertThat(one.metrics().connectionEnds())
            .containsOnlyKeys(EndReason.NO_SIGN_OF_LIFE.name());
        RawPeer.Frame asks = peer.await(FrameLayout.PING);
        assertThat(asks.word(0)).isNotZero();
        RawPeer.Frame close = peer.await(FrameLayout.CLOSE); // in case that it was only stopped
        assertThat(CloseReason.of(close.type())).isEqualTo(CloseReason.NO_SIGN_OF_LIFE);
        peer.awaitEnd();
      }
    }
  }

  /** A clock: by the end another node has waited for its keep-alive time so often. */
  private void awaitSilentPeersLost(int count) throws IOException {
    try (TestNodes clock = new TestNodes("tcp")) {
      Node node = open(clock, 1);
      for (int id = SILENT; id < SILENT + count; id++) {
        int lost = id;
        try (RawPeer _ = RawPeer.join(node, lost)) {
          await(
              "a silent peer is lost",
              () -> losses.stream().anyMatch(report -> report.nodeId() == lost));
        }
      }
    }
  }

  @Test
  void shouldKeepAPairThatHasNothingToSay() throws Exception {
    Losses.holdOnce(losses, this::keepAPairThatHasNothingToSay);
  }

  private void keepAPairThatHasNothingToSay() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1, PATIENT);
      Node two = open(nodes, 2, PATIENT);
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE).number()).isEqualTo(1);
      awaitSilentPeersLost(5); // longer than one of two links may be silent
      assertThat(losses).noneMatch(report -> report.nodeId() < SILENT);
      assertThat(two.metrics().connectionEnds()).isEmpty();
      assertThat(one.request(2, new Ask(2), Ask.class, PATIENCE).number()).isEqualTo(2);
    }
  }

  @Test
  void shouldKeepAPeerThatAnswersPingsAndNothingElse() throws Exception {
    Losses.holdOnce(losses, this::keepAPeerThatAnswersPingsAndNothingElse);
  }

  private void keepAPeerThatAnswersPingsAndNothingElse() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1, PATIENT);
      RawPeer peer = RawPeer.join(one, 5);
      Thread answering =
          Thread.startVirtualThread(() -> {
            try {
              for (RawPeer.Frame ping = peer.await(FrameLayout.PING);
                  ping != null;
                  ping = peer.await(FrameLayout.PING)) {
                peer.send(ControlFrames.pong(ping.word(0)));
              }
            } catch (IOException e) {
              // closed at the end of the test
            }
          });
      try (peer) {
        awaitSilentPeersLost(3);
        assertThat(losses).noneMatch(report -> report.nodeId() == 5);
      }
      assertThat(answering.join(PATIENCE)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldKeepAPeerWhoseReadingThreadIsInALongHandlerAndLetItKeepOthers(String transport)
      throws Exception {
    Losses.holdOnce(losses, () -> keepAPeerWhoseReadingThreadIsInALongHandler(transport));
  }

  private void keepAPeerWhoseReadingThreadIsInALongHandler(String transport) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes(transport);
        Closeable _ = release::countDown) { // before the nodes close, which wait for the handler
      Node one = open(nodes, 1, PATIENT);
      Node two = open(nodes, 2, PATIENT);
      two.handle(Event.class, Dispatch.INLINE, (event, exchange) -> holdUp(entered, release));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE).number()).isEqualTo(1);
      Thread sender = Thread.ofPlatform().start(() -> one.send(2, new Event(1)));
      assertThat(entered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Ask> waiting = one.requestAsync(2, new Ask(2), Ask.class, PATIENCE);
      awaitSilentPeersLost(3);
      assertThat(losses).noneMatch(report -> report.nodeId() < SILENT);
      assertThat(waiting).isNotDone();
      release.countDown();
      assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).number()).isEqualTo(2);
      assertThat(sender.join(PATIENCE)).isTrue();
      assertThat(one.metrics().connectionEnds()).isEmpty();
      assertThat(two.metrics().connectionEnds()).isEmpty();
    }
  }

  /** Looks are ten seconds apart, and a peer that is asked is given up after three. */
  @Test
  void shouldKeepAPeerInALongHandlerAlsoWhereRequestsTimeOut() throws Exception {
    Losses.holdOnce(losses, this::keepAPeerInALongHandlerAlsoWhereRequestsTimeOut);
  }

  private void keepAPeerInALongHandlerAlsoWhereRequestsTimeOut() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp");
        Closeable _ = release::countDown) { // before the nodes close, which wait for the handler
      Node one = open(nodes, 1, LONG);
      Node two = open(nodes, 2, LONG);
      two.handle(Event.class, Dispatch.INLINE, (event, exchange) -> holdUp(entered, release));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE).number()).isEqualTo(1);
      Thread sender = Thread.ofPlatform().start(() -> one.send(2, new Event(1)));
      assertThat(entered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      for (int id = SILENT; id < SILENT + 2; id++) {
        assertThatARequestTimesOut(one, 2);
        awaitLossAfterATimeout(id);
        assertThat(losses).noneMatch(report -> report.nodeId() < SILENT);
      }
      release.countDown();
      assertThat(one.request(2, new Ask(2), Ask.class, PATIENCE).number()).isEqualTo(2);
      assertThat(sender.join(PATIENCE)).isTrue();
      assertThat(one.metrics().connectionEnds()).isEmpty();
      assertThat(two.metrics().connectionEnds()).isEmpty();
    }
  }

  private static void holdUp(CountDownLatch entered, CountDownLatch release)
      throws InterruptedException {
    entered.countDown();
    assertThat(release.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private static void assertThatARequestTimesOut(Node node, int peer) {
    assertThatThrownBy(() ->
            node.requestAsync(peer, new Ask(1), Ask.class, Duration.ofMillis(50))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(RequestTimeoutException.class);
  }

  /** A clock: whoever was silent since a request timed out before this is lost by the end. */
  private void awaitLossAfterATimeout(int id) throws IOException {
    try (TestNodes clock = new TestNodes("tcp")) {
      Node node = open(clock, 1, LONG);
      try (RawPeer _ = RawPeer.join(node, id)) {
        assertThatARequestTimesOut(node, id);
        await(
            "a silent peer is lost",
            () -> losses.stream().anyMatch(report -> report.nodeId() == id));
      }
    }
  }

  /** Any of them may suspect it, and none can be read. */
  @Test
  void shouldSpeakToAllWhileAReadingThreadIsInALongHandler() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp");
        Closeable _ = release::countDown) {
      Node one = open(nodes, 1, Duration.ofDays(1));
      Node two = nodes.open(2);
      one.handle(Event.class, Dispatch.INLINE, (event, exchange) -> holdUp(entered, release));
      try (RawPeer other = RawPeer.join(one, 5)) {
        two.send(1, new Event(1));
        assertThat(entered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        for (int signs = 0; signs < 3; signs++) {
          RawPeer.Frame sign = Objects.requireNonNull(other.read(), "a sign of life");
          assertThat(sign.kind()).isEqualTo(FrameLayout.PONG);
          assertThat(sign.word(0)).as("that nobody asked for").isZero();
        }
        release.countDown();
      }
    }
  }

  /** A peer gives up a connection of which one link alone is silent, too. */
  @Test
  void shouldSpeakOnBothLinksWhileAReadingThreadIsInALongHandler() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("tcp");
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        Closeable _ = release::countDown) {
      Node one = open(nodes, 1, Duration.ofDays(1));
      Node two = nodes.open(2);
      one.handle(Event.class, Dispatch.INLINE, (event, exchange) -> holdUp(entered, release));
      nodes.directory().put(SILENT, "127.0.0.1:" + listener.getLocalPort());
      assertThat(one.trySend(SILENT, new Event(1))).isEqualTo(SendStatus.NOT_CONNECTED);
      try (RawPeer ofNode = RawPeer.over(listener.accept());
          RawPeer ofPeer = RawPeer.connect(one)) {
        welcome(ofNode, ofPeer);
        await("open", () -> one.trySend(SILENT, new Event(1)) == SendStatus.ACCEPTED);
        two.send(1, new Event(1));
        assertThat(entered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        for (int signs = 0; signs < 2; signs++) {
          assertThat(ofNode.await(FrameLayout.PONG).word(0)).as("that nobody asked for").isZero();
          assertThat(ofPeer.await(FrameLayout.PONG).word(0)).as("that nobody asked for").isZero();
        }
        release.countDown();
      }
    }
  }

  /** Both links of a peer are there then. */
  private static void welcome(RawPeer ofNode, RawPeer ofPeer) throws IOException {
    RawPeer.Frame frame = ofNode.await(FrameLayout.HELLO);
    Hello hello = Hello.parse(frame.memory(), 0, FrameLayout.readHeader(frame.memory(), 0));
    ofNode.send(welcome(hello).encode());
    ofPeer.send(listening(hello).encode());
    RawPeer.Frame _ = ofPeer.await(FrameLayout.WELCOME);
  }

  /** Its thread is in a handler at each look, in another one each time. */
  @Test
  void shouldSpeakToAllWhileAReadingThreadGoesFromHandlerToHandler() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Duration day = Duration.ofDays(1);
      Node one = open(nodes, 1, day);
      List<Node> senders = List.of(open(nodes, 2, day), open(nodes, 3, day));
      AtomicBoolean busy = new AtomicBoolean();
      one.handle(
          Event.class,
          Dispatch.INLINE,
          (event, exchange) -> {
            if (busy.get()) { // comes when the other's was handled
              senders.get((int) event.number()).trySend(1, event);
              TimeUnit.MILLISECONDS.sleep(600);
            }
          });
      try (RawPeer other = RawPeer.join(one, 5);
          Closeable _ = () -> busy.set(false)) {
        senders.get(0).send(1, new Event(0)); // while it is not busy yet, so that they connect
        senders.get(1).send(1, new Event(1));
        await("both", () -> one.metrics().messagesHandled() == 2);
        busy.set(true);
        senders.get(0).send(1, new Event(0));
        senders.get(1).send(1, new Event(1));
        for (int signs = 0; signs < 2; signs++) {
          RawPeer.Frame sign = Objects.requireNonNull(other.read(), "a sign of life");
          assertThat(sign.kind()).isEqualTo(FrameLayout.PONG);
        }
      }
    }
  }

  @Test
  void shouldFindThatOneOfTwoLinksIsSilent() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp");
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Node one = open(nodes, 1, Duration.ofSeconds(3)); // the other link must not fall silent, too
      nodes.directory().put(SILENT, "127.0.0.1:" + listener.getLocalPort());
      assertThat(one.trySend(SILENT, new Event(1))).isEqualTo(SendStatus.NOT_CONNECTED);
      try (RawPeer silent = RawPeer.over(listener.accept());
          RawPeer talking = RawPeer.connect(one)) {
        welcome(silent, talking);
        await(
            "the silent link is found",
            () -> {
              try {
                talking.send(ControlFrames.pong(0));
              } catch (IOException e) {
                // the node has closed it
              }
              return !losses.isEmpty();
            });
        assertThat(losses.element().reason()).isEqualTo(EndReason.NO_SIGN_OF_LIFE);
        assertThat(losses.element().cause())
            .contains("one of two links silent for ", " ms: keepAlive=PT3S");
        silent.await(FrameLayout.PING);
        silent.await(FrameLayout.CLOSE);
      }
    }
  }

  private static Welcome welcome(Hello hello) {
    Hello peer = RawPeer.hello(SILENT, SILENT + 1L, "default");
    return new Welcome(
        Handshake.VERSION,
        0,
        SILENT,
        peer.incarnation(),
        hello.incarnation().id(),
        true,
        false,
        null,
        peer.limits(),
        List.of());
  }

  /** The HELLO of the way back, which the node does not share. */
  private static Hello listening(Hello hello) {
    Hello peer = RawPeer.hello(SILENT, SILENT + 1L, "default");
    return new Hello(
        Handshake.VERSION,
        Handshake.VERSION,
        0,
        peer.cluster(),
        SILENT,
        hello.nodeId(),
        peer.incarnation(),
        hello.incarnation().id(),
        true,
        false,
        false,
        Handshake.NO_AUTHENTICATION,
        null,
        peer.limits(),
        List.of());
  }

  @Test
  void shouldTakeAnAbsentResponseForAReasonToLook() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one =
          nodes.open(1, settings -> settings.keepAlive(Duration.ofDays(1)).listener(listener));
      try (RawPeer _ = RawPeer.join(one, SILENT);
          RawPeer _ = RawPeer.join(one, SILENT + 1);
          RawPeer unasked = RawPeer.join(one, SILENT + 2)) {
        assertThatThrownBy(() -> one.request(SILENT, new Ask(1), Ask.class, Duration.ofMillis(50)))
            .isInstanceOf(RequestTimeoutException.class);
        assertThatThrownBy(() ->
                one.requestAsync(SILENT + 1, new Ask(1), Ask.class, Duration.ofMillis(50))
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .cause()
            .isInstanceOf(RequestTimeoutException.class);
        await("both losses", () -> losses.size() == 2);
        assertThat(losses)
            .allMatch(loss -> loss.reason() == EndReason.NO_SIGN_OF_LIFE)
            .allMatch(loss -> loss.cause().contains("neither a response nor an answer to a PING"));
        assertThat(one.trySend(SILENT + 2, new Event(1))).isEqualTo(SendStatus.ACCEPTED);
        assertThat(unasked.await(FrameLayout.MESSAGE).type()).isNotZero();
      }
    }
  }

  @Test
  void shouldGiveUpAPeerThatAcceptsAndNeverAnswers() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp");
        ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Node one = nodes.open(1, settings -> settings.connectTimeout(Duration.ofSeconds(2)));
      nodes.directory().put(7, "127.0.0.1:" + mute.getLocalPort());
      assertThatThrownBy(() -> one.send(7, new Event(1), PATIENCE))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("nodeId=7")
          .hasMessageContaining("handshake timed out: phase=AWAITING_WELCOME connectTimeout=PT2S");
      await("the back-off ends", () -> one.trySend(7, new Event(1)) == SendStatus.NOT_CONNECTED);
      assertThatThrownBy(() -> one.request(7, new Ask(1), Ask.class, PATIENCE))
          .isInstanceOf(NodeUnreachableException.class);
      assertThat(one.metrics().connectionEnds()).as("never open, never lost").isEmpty();
    }
  }
}
