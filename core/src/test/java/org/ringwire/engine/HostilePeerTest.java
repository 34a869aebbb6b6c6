package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.engine.TestNodes.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Schema;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.TypeAnnouncement;

/**
 * Peers that break the rules, over plain sockets, while a healthy node keeps sending requests: they
 * lose their own connection, with a counted reason, and nobody else notices.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class HostilePeerTest {

  private static final int HOSTILE_ID = 666;
  private static final int MAX_HANDSHAKES = 8;

  record Ask(long number) {}

  record Event(long number) {}

  record Text(String text) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Numbers(long[] numbers) {}

  private final TestNodes nodes = new TestNodes("tcp");
  private final AtomicLong answered = new AtomicLong();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
  private final Queue<Long> events = new ConcurrentLinkedQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final MessageCatalog catalog = new MessageCatalog();
  private volatile boolean stop;
  private final Node victim = openVictim();
  private final Thread healthy = new Thread(this::exchange);

  private Node openVictim() {
    return nodes.open(
        1,
        settings ->
            settings
                .maxHandshakes(MAX_HANDSHAKES)
                .connectTimeout(Duration.ofSeconds(2))
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
  private void awaitProgress() {
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

  private TypeAnnouncement type(Class<?> type) {
    return FrameEncoder.announcementOf(catalog.typeOf(type));
  }

  private RawPeer join(TypeAnnouncement... types) throws IOException {
    return RawPeer.join(victim, HOSTILE_ID, types);
  }

  private void awaitRejected(long count) {
    await("rejected frames: " + count, () -> victim.metrics().framesRejected() == count);
  }

  // Before the handshake.

  @Test
  void shouldRefuseRandomBytes() throws IOException {
    Random random = new Random(42);
    int attempts = 50;
    for (int attempt = 0; attempt < attempts; attempt++) {
      byte[] bytes = new byte[8 + random.nextInt(5000)];
      random.nextBytes(bytes);
      try (RawPeer peer = RawPeer.connect(victim)) {
        sendAndAwaitEnd(peer, bytes);
      }
    }
    await("all are counted", () -> victim.metrics().handshakesRefused() == attempts);
    awaitRejected(attempts);
  }

  private static void sendAndAwaitEnd(RawPeer peer, byte[]... bytes) throws IOException {
    try {
      peer.send(bytes);
    } catch (IOException e) {
      return; // closed while we were sending
    }
    peer.awaitEnd();
  }

  @Test
  void shouldTellAnHttpClientWhatItHasReached() throws IOException {
    try (RawPeer peer = RawPeer.connect(victim)) {
      peer.send("GET / HTTP/1.1\r\nHost: node\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      RawPeer.Frame refusal = peer.lastBeforeEnd(FrameLayout.REFUSE);
      assertThat(refusal).isNotNull();
      assertThat(RefusalReason.of(refusal.type())).isEqualTo(RefusalReason.MALFORMED);
    }
    await("the listener hears", () -> refusals.stream().anyMatch(text -> text.contains("HTTP")));
    assertThat(victim.metrics().handshakesRefused()).isEqualTo(1);
  }

  @Test
  void shouldRefuseOtherVersionsAndClusters() throws IOException {
    byte[] version = RawPeer.hello(HOSTILE_ID, 9, "default").encode();
    version[16] = 2; // least version
    version[18] = 3; // greatest version
    assertRefused(version, RefusalReason.WRONG_VERSION);
    assertRefused(RawPeer.hello(HOSTILE_ID, 9, "other").encode(), RefusalReason.WRONG_CLUSTER);
    assertRefused(RawPeer.hello(1, 9, "default").encode(), RefusalReason.DUPLICATE_NODE);
    assertThat(victim.metrics().handshakesRefused()).isEqualTo(3);
  }

  private void assertRefused(byte[] hello, RefusalReason reason) throws IOException {
    try (RawPeer peer = RawPeer.connect(victim)) {
      RawPeer.Frame refusal = peer.send(hello).lastBeforeEnd(FrameLayout.REFUSE);
      assertThat(refusal).isNotNull();
      assertThat(RefusalReason.of(refusal.type())).isEqualTo(reason);
    }
  }

  @Test
  void shouldBoundHalfOpenHandshakesAndGoOn() throws IOException {
    List<RawPeer> flood = new ArrayList<>();
    for (int count = 0; count < 10 * MAX_HANDSHAKES; count++) {
      flood.add(RawPeer.connect(victim).send(new byte[] {32})); // one byte and silence
    }
    await(
        "those beyond the bound are refused",
        () -> victim.metrics().handshakesRefused() >= 9 * MAX_HANDSHAKES);
    awaitProgress();
    for (RawPeer peer : flood) {
      peer.awaitEnd(); // the silent ones when their time is over
      peer.close();
    }
    try (RawPeer peer = join(type(Event.class))) {
      peer.send(frame(FrameLayout.MESSAGE, type(Event.class).id(), words(5)));
      await("a good peer is served", () -> events.contains(5L));
    }
  }

  @Test
  void shouldForgetAHandshakeThatEndsHalfway() throws IOException {
    byte[] hello = RawPeer.hello(HOSTILE_ID, 9, "default", type(Event.class)).encode();
    for (int length = 1; length < hello.length; length += 7) {
      try (RawPeer peer = RawPeer.connect(victim)) {
        peer.send(java.util.Arrays.copyOf(hello, length));
      }
    }
    await(
        "handshakes are free again",
        () -> {
          try {
            join().close();
            return true;
          } catch (IOException e) {
            return false;
          }
        });
  }

  // After the handshake.

  @Test
  void shouldCloseOnFramesThatNoRuleAllows() throws IOException {
    int id = type(Event.class).id();
    byte[] good = frame(FrameLayout.MESSAGE, id, words(1));
    byte[] dirty = frame(FrameLayout.MESSAGE, id, (byte) 1);
    dirty[15] = 1;
    List<byte[]> bad =
        List.of(
            words(FrameLayout.header(FrameLayout.MESSAGE, id, 0)),
            words(FrameLayout.header(FrameLayout.MESSAGE, id, 7)),
            words(FrameLayout.header(FrameLayout.MESSAGE, id, -1)),
            words(FrameLayout.header(FrameLayout.MESSAGE, id, Integer.MIN_VALUE)),
            words(FrameLayout.header(FrameLayout.MESSAGE, id, (64 << 20) + 1000)),
            words(FrameLayout.header(FrameLayout.REQUEST, id, 8)),
            words(FrameLayout.header(FrameLayout.PADDING, 0, 16), 0),
            words(FrameLayout.header(FrameLayout.DETACHED, 0, 16), 0),
            words(FrameLayout.header(26, 0, 16), 0),
            frame(FrameLayout.WAIVE, 0, words(0)),
            frame(FrameLayout.WAIVE, 0, words(-8)),
            frame(FrameLayout.WAIVE, 0, words(4)),
            frame(FrameLayout.WAIVE, 0, words(64 << 10)), // of which 16 bytes are used already
            words(FrameLayout.header(FrameLayout.MESSAGE, id, 16) | 2L << 56, 0),
            RawPeer.hello(HOSTILE_ID, 9, "default").encode(),
            dirty,
            frame(FrameLayout.GRANT, 0, words(77)),
            frame(FrameLayout.ANNOUNCE, 0, words(1, (1L << 30) + 8)),
            frame(FrameLayout.ANNOUNCE, 0, words(1, 0)),
            frame(FrameLayout.CREDIT, 0, words(-1, 0, 1 << 20)),
            frame(FrameLayout.CREDIT, 0, words(1, 0, 1 << 20)),
            frame(FrameLayout.CREDIT, 0, words(0, 0, 1)),
            frame(FrameLayout.CREDIT, 0, words(0, 0, Long.MAX_VALUE)));
    for (byte[] frame : bad) {
      try (RawPeer peer = join(type(Event.class))) {
        peer.send(good, frame, good);
        assertThat(peer.lastBeforeEnd(FrameLayout.CLOSE)).as("CLOSE says why").isNotNull();
      }
    }
    awaitRejected(bad.size());
    await("what came before was handled, nothing after", () -> events.size() == bad.size());
  }

  @Test
  void shouldCloseOnTypesThatWereNotAnnounced() throws IOException {
    for (int round = 0; round < 20; round++) {
      try (RawPeer peer = join()) {
        for (int count = 0; count < 10; count++) {
          peer.send(frame(FrameLayout.MESSAGE, 4711));
        }
        peer.awaitEnd();
      } catch (IOException e) {
        assertThat(e).isNotInstanceOf(java.net.SocketTimeoutException.class);
      }
    }
    awaitRejected(20);
  }

  @Test
  void shouldDropMessagesOfAnnouncedTypesThatItDoesNotKnow() throws IOException {
    TypeAnnouncement stranger = new TypeAnnouncement(4711, "com.example.Stranger", 1, new byte[0]);
    try (RawPeer peer = join(stranger, type(Event.class))) {
      long granted = 64 << 10;
      for (long count = 0; count < 10_000; count++) { // more than the window, if not credited
        while (16 * count + 16 > granted) {
          granted = peer.await(FrameLayout.CREDIT).word(2);
        }
        peer.send(frame(FrameLayout.MESSAGE, 4711, words(1)));
      }
      peer.send(frame(FrameLayout.MESSAGE, type(Event.class).id(), words(3)));
      await("the next message", () -> events.contains(3L));
      assertThat(victim.metrics().unhandled()).isEqualTo(10_000);
    }
  }

  @Test
  void shouldCloseOnATypeAnnouncedTwice() throws IOException {
    TypeAnnouncement first = new TypeAnnouncement(4711, "first", 1, new byte[0]);
    TypeAnnouncement second = new TypeAnnouncement(4711, "second", 2, new byte[0]);
    try (RawPeer peer = join(first)) {
      peer.send(first.encode(), second.encode());
      peer.awaitEnd();
    }
    awaitRejected(1);
  }

  @Test
  void shouldRefuseSchemasThatAreNotWhatWasAnnounced() throws IOException {
    String name = type(Event.class).name();
    Schema other = Schema.of("encoding 1\nrecord " + name + "\n number String\n");
    Schema wider = Schema.of("encoding 1\nrecord " + name + "\n number int\n");
    List<TypeAnnouncement> bad =
        List.of(
            new TypeAnnouncement(4711, name, 1, new byte[0]),
            new TypeAnnouncement(4711, name, 1, wider.toBytes()),
            new TypeAnnouncement(4711, name, 1, new byte[] {1, 2, 3}),
            new TypeAnnouncement(4711, name, other.fingerprint(), other.toBytes()));
    for (TypeAnnouncement announcement : bad) {
      try (RawPeer peer = join(type(Text.class))) {
        peer.send(announcement.encode()).awaitEnd();
      }
      try (RawPeer peer = RawPeer.connect(victim)) {
        peer.send(RawPeer.hello(HOSTILE_ID, 5, "default", announcement).encode());
        peer.await(FrameLayout.REFUSE);
      }
    }
    awaitRejected(bad.size());
    TypeAnnouncement good = new TypeAnnouncement(4711, name, wider.fingerprint(), wider.toBytes());
    try (RawPeer peer = join(good)) {
      peer.send(frame(FrameLayout.MESSAGE, 4711, (byte) -5, (byte) -1, (byte) -1, (byte) -1));
      await("the message of another version", () -> events.contains(-5L));
    }
  }

  @Test
  void shouldCloseOnATypeAnnouncedUnderTwoIds() throws IOException {
    TypeAnnouncement first = new TypeAnnouncement(4711, "first", 1, new byte[0]);
    TypeAnnouncement second = new TypeAnnouncement(4712, "first", 1, new byte[0]);
    try (RawPeer peer = join(first)) {
      peer.send(first.encode(), second.encode());
      peer.awaitEnd();
    }
    awaitRejected(1);
  }

  @Test
  void shouldCloseOnBodiesThatDoNotDecode() throws IOException {
    int text = type(Text.class).id();
    int numbers = type(Numbers.class).id();
    List<byte[]> bad =
        List.of(
            frame(FrameLayout.MESSAGE, text, (byte) 2, (byte) 0xC3, (byte) 0x28),
            frame(FrameLayout.MESSAGE, text, (byte) 200, (byte) 1),
            frame(FrameLayout.MESSAGE, text),
            frame(
                FrameLayout.MESSAGE, numbers, (byte) -1, (byte) -1, (byte) -1, (byte) -1, (byte) 7),
            frame(FrameLayout.MESSAGE, type(Event.class).id(), words(1, 2)));
    for (byte[] frame : bad) {
      try (RawPeer peer = join(type(Text.class), type(Numbers.class), type(Event.class))) {
        peer.send(frame).awaitEnd();
      }
    }
    awaitRejected(bad.size());
  }

  @Test
  void shouldDisconnectAPeerThatIgnoresItsCredit() throws IOException {
    int id = type(Numbers.class).id(); // its handler waits, so that nothing is credited
    byte[] message = frame(FrameLayout.MESSAGE, id, (byte) 0);
    int fits = (64 << 10) / message.length;
    try (RawPeer peer = join(type(Numbers.class))) {
      byte[] window = new byte[fits * message.length];
      for (int count = 0; count < fits; count++) {
        System.arraycopy(message, 0, window, count * message.length, message.length);
      }
      peer.send(window, frame(FrameLayout.PING, 0, words(9)));
      assertThat(peer.await(FrameLayout.PONG).word(0)).as("a full window is fine").isEqualTo(9);
      assertThat(victim.metrics().framesRejected()).isZero();
      RawPeer.Frame close = peer.send(message).lastBeforeEnd(FrameLayout.CLOSE);
      assertThat(close).isNotNull();
      long header = FrameLayout.readHeader(close.memory(), 0);
      assertThat(ControlFrames.closeText(close.memory(), 0, header)).contains("exceeds its credit");
    }
    awaitRejected(1);
  }

  @Test
  void shouldTakeALongFrameByGrantOnly() throws IOException {
    int id = type(Numbers.class).id();
    byte[] body = new byte[80 << 10];
    byte[] ungranted = frame(FrameLayout.MESSAGE, id, body);
    try (RawPeer peer = join(type(Numbers.class))) {
      sendAndAwaitEnd(peer, ungranted);
    }
    awaitRejected(1);
    long header = FrameLayout.granted(FrameLayout.header(FrameLayout.MESSAGE, id, 8 + body.length));
    try (RawPeer peer = join(type(Numbers.class))) {
      sendAndAwaitEnd(peer, words(header), body);
    }
    awaitRejected(2);
    try (RawPeer peer = join(type(Event.class))) {
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(1, 24)));
      assertThat(peer.await(FrameLayout.GRANT).word(0)).isEqualTo(1);
      long granted =
          FrameLayout.granted(FrameLayout.header(FrameLayout.MESSAGE, type(Event.class).id(), 16));
      peer.send(words(granted, 1)); // 16 bytes, but 24 were granted
      peer.awaitEnd();
    }
    awaitRejected(3);
  }

  @Test
  void shouldCommitNoMemoryOnAnAnnouncementAlone() throws IOException {
    int id = type(Numbers.class).id();
    int length = 60 << 20;
    try (RawPeer peer = join(type(Numbers.class))) {
      long before = NativeMemory.openBytes();
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(1, length)));
      peer.await(FrameLayout.GRANT);
      long header = FrameLayout.granted(FrameLayout.header(FrameLayout.MESSAGE, id, length));
      peer.send(words(header), new byte[200_000]);
      await(
          "the bytes",
          () ->
              victim.metrics().connections().stream()
                  .anyMatch(c -> c.nodeId() == HOSTILE_ID && c.bytesReceived() > 200_000));
      assertThat(NativeMemory.openBytes() - before).isLessThan(8 << 20);
    }
  }

  @Test
  void shouldRefuseAResponseLongerThanItsReservationWithoutGrant() throws IOException {
    try (RawPeer peer = join(type(Event.class))) {
      byte[] response = new byte[100 << 10];
      sendAndAwaitEnd(peer, frame(FrameLayout.RESPONSE, type(Event.class).id(), response));
    }
    awaitRejected(1);
  }

  @Test
  void shouldCountResponsesThatNobodyWaitsFor() throws IOException {
    try (RawPeer peer = join(type(Event.class))) {
      peer.send(frame(FrameLayout.RESPONSE, type(Event.class).id(), words(1, 2)));
      peer.send(frame(FrameLayout.RESPONSE, type(Event.class).id(), words(Long.MIN_VALUE, 2)));
      peer.send(frame(FrameLayout.FAILURE, 1, words(0)));
      peer.send(frame(FrameLayout.PING, 0, words(1)));
      peer.await(FrameLayout.PONG);
      assertThat(victim.metrics().lateResponses()).isEqualTo(3);
      assertThat(victim.metrics().framesRejected()).isZero();
    }
  }

  @Test
  void shouldBoundAnnouncementsAndAnswerAFloodOfPings() throws IOException {
    try (RawPeer peer = join()) {
      for (int count = 0; count < 10_000; count++) {
        peer.send(frame(FrameLayout.PING, 0, words(count)));
      }
      RawPeer.Frame pong = peer.await(FrameLayout.PONG);
      while (pong.word(0) < 9_999) {
        pong = peer.await(FrameLayout.PONG);
      }
    }
    try (RawPeer peer = join()) {
      byte[] announcements = new byte[24 * 3000];
      for (int count = 0; count < 3000; count++) {
        byte[] announcement = frame(FrameLayout.ANNOUNCE, 0, words(count, 1 << 20));
        System.arraycopy(announcement, 0, announcements, 24 * count, 24);
      }
      sendAndAwaitEnd(peer, announcements);
    }
    awaitRejected(1);
  }

  @Test
  void shouldDeliverWhatArrivedWholeBeforeTheEnd() throws IOException {
    int id = type(Event.class).id();
    byte[] last = frame(FrameLayout.MESSAGE, id, words(99));
    try (RawPeer peer = join(type(Event.class))) {
      for (long number = 0; number < 50; number++) {
        peer.send(frame(FrameLayout.MESSAGE, id, words(number)));
      }
      peer.send(java.util.Arrays.copyOf(last, 13));
    }
    await("whole frames", () -> events.size() == 50);
    await("the end", () -> losses.stream().anyMatch(loss -> loss.nodeId() == HOSTILE_ID));
    assertThat(events).doesNotContain(99L);
  }

  // Identity.

  @Test
  void shouldRefuseASecondLifeOfALivingPeerAndAdmitOneOfADeadPeer() throws IOException {
    try (RawPeer first = join(type(Event.class));
        RawPeer second = RawPeer.connect(victim)) {
      second.send(RawPeer.hello(HOSTILE_ID, 77, "default").encode());
      first.send(frame(FrameLayout.PONG, 0, words(first.await(FrameLayout.PING).word(0))));
      RawPeer.Frame refusal = second.lastBeforeEnd(FrameLayout.REFUSE);
      assertThat(refusal).isNotNull();
      assertThat(RefusalReason.of(refusal.type())).isEqualTo(RefusalReason.DUPLICATE_NODE);
      first.send(frame(FrameLayout.MESSAGE, type(Event.class).id(), words(1)));
      await("the first goes on", () -> events.contains(1L));

      try (RawPeer third = RawPeer.connect(victim)) { // the first does not answer this time
        third.send(RawPeer.hello(HOSTILE_ID, 78, "default", type(Event.class)).encode());
        third.await(FrameLayout.WELCOME);
        third.send(frame(FrameLayout.MESSAGE, type(Event.class).id(), words(2)));
        await("the new life is served", () -> events.contains(2L));
        first.awaitEnd();
      }
    }
  }

  @Test
  void shouldForgetANewLifeThatEndsWhileTheOldOneIsProbed() throws IOException {
    try (RawPeer first = join(type(Event.class))) {
      try (RawPeer second = RawPeer.connect(victim)) {
        second.send(RawPeer.hello(HOSTILE_ID, 77, "default").encode());
        first.await(FrameLayout.PING);
      }
      first.awaitEnd(); // it gave no sign of life
    }
    await(
        "no connection is left",
        () -> victim.metrics().connections().stream().noneMatch(c -> c.nodeId() == HOSTILE_ID));
    try (RawPeer third = RawPeer.connect(victim)) {
      third.send(RawPeer.hello(HOSTILE_ID, 78, "default", type(Event.class)).encode());
      third.await(FrameLayout.WELCOME);
    }
  }

  // What a peer says of us.

  @Test
  void shouldCountToTheLastMessageWhatBecameOfThoseToALostPeer() throws IOException {
    int accepted = 1;
    int credited = 0;
    try (RawPeer peer = join()) {
      // The peer has its WELCOME a moment before this side may send.
      await(
          "the connection is open",
          () -> victim.trySend(HOSTILE_ID, new Event(0)) == org.ringwire.SendStatus.ACCEPTED);
      while (victim.trySend(HOSTILE_ID, new Event(accepted)) == org.ringwire.SendStatus.ACCEPTED) {
        accepted++;
      }
      assertThat(accepted).isGreaterThan(1000).isLessThanOrEqualTo((64 << 10) / 16);
      long bytes = 0;
      while (credited < 100) {
        RawPeer.Frame frame = peer.await(FrameLayout.MESSAGE);
        bytes += frame.bytes().length;
        credited++;
      }
      peer.send(frame(FrameLayout.CREDIT, 0, words(bytes, credited, 64 << 10)));
      peer.send(frame(FrameLayout.PING, 0, words(1)));
      peer.await(FrameLayout.PONG);
    }
    await("the loss", () -> losses.stream().anyMatch(loss -> loss.nodeId() == HOSTILE_ID));
    LossReport loss =
        losses.stream().filter(report -> report.nodeId() == HOSTILE_ID).findAny().orElseThrow();
    assertThat(loss.accepted()).isEqualTo(accepted);
    assertThat(loss.processed()).isEqualTo(credited);
    assertThat(loss.processed() + loss.lost() + loss.uncertain()).isEqualTo(accepted);
  }

  @Test
  void shouldNotBelieveThatMoreWasProcessedThanWasSent() throws IOException {
    try (RawPeer peer = join()) {
      victim.send(HOSTILE_ID, new Event(1));
      RawPeer.Frame frame = peer.await(FrameLayout.MESSAGE);
      peer.send(
          frame(FrameLayout.CREDIT, 0, words(frame.bytes().length, Long.MAX_VALUE, 64 << 10)));
      peer.send(frame(FrameLayout.PING, 0, words(1)));
      peer.await(FrameLayout.PONG);
    }
    await("the loss", () -> losses.stream().anyMatch(loss -> loss.nodeId() == HOSTILE_ID));
    LossReport loss =
        losses.stream().filter(report -> report.nodeId() == HOSTILE_ID).findAny().orElseThrow();
    assertThat(loss.accepted()).isEqualTo(1);
    assertThat(loss.processed() + loss.lost() + loss.uncertain()).isEqualTo(1);
  }
}
