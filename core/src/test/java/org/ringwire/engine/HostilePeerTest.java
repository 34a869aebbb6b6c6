package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.LossReport;
import org.ringwire.NodeMetrics;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.TypeAnnouncement;

/**
 * Peers that break the rules once they are connected, over plain sockets: they lose their own
 * connection, with a counted reason, and nobody else notices.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class HostilePeerTest extends HealthyPair {

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
            frame(FrameLayout.ANNOUNCE, 0, words(1, (64 << 20) + 24)), // 8 more than a request
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
  void shouldNotTakeTheBeginningOfAFrameThatNothingCovers() throws IOException {
    int id = type(Event.class).id();
    int length = 32 << 20;
    List<Long> headers =
        List.of(
            FrameLayout.header(FrameLayout.MESSAGE, id, length),
            FrameLayout.header(FrameLayout.REQUEST, id, length),
            FrameLayout.header(FrameLayout.RESPONSE, id, length),
            FrameLayout.header(FrameLayout.MESSAGE, id, length) | (long) FrameLayout.GRANTED << 56,
            FrameLayout.header(FrameLayout.MESSAGE, id, (64 << 10) + 8));
    for (int count = 0; count < headers.size(); count++) {
      try (RawPeer peer = join(type(Event.class))) {
        peer.send(words(headers.get(count), 1)); // and never more of it
        awaitRejected(count + 1);
        assertThat(peer.lastBeforeEnd(FrameLayout.CLOSE)).as("CLOSE says why").isNotNull();
      }
    }
  }

  @Test
  void shouldCloseOnARequestThatCannotBeAnswered() throws IOException {
    try (RawPeer peer = join(type(Event.class))) {
      peer.send(frame(FrameLayout.REQUEST, type(Event.class).id(), words(0, 1)));
      awaitRejected(1);
      assertThat(peer.lastBeforeEnd(FrameLayout.CLOSE)).as("CLOSE says why").isNotNull();
    }
    assertThat(events).isEmpty();
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

  /** Else nobody else would be read for as long as that many writes take. */
  @Test
  void shouldAnswerFloodsOfControlFramesTogether() throws IOException {
    byte[] taken = frame(FrameLayout.ANNOUNCE, 0, words(1, 64));
    byte[] returned = frame(FrameLayout.ANNOUNCE, 0, words(1, 0));
    List<byte[]> asking =
        List.of(
            frame(FrameLayout.PING, 0, words(1)),
            frame(FrameLayout.WAIVE, 0, words(8)),
            frame(FrameLayout.CLOSE, CloseReason.INTERNAL_ERROR.code()),
            ByteBuffer.allocate(48).put(taken).put(returned).array());
    int count = 2000;
    for (byte[] asked : asking) {
      ByteBuffer flood = ByteBuffer.allocate(count * asked.length);
      while (flood.hasRemaining()) {
        flood.put(asked);
      }
      try (RawPeer peer = join()) {
        long before = hostileConnection().writes();
        peer.send(flood.array(), frame(FrameLayout.PING, 0, words(9)));
        while (peer.await(FrameLayout.PONG).word(0) != 9) {}
        assertThat(hostileConnection().writes() - before).isLessThan(count / 4);
      }
      await("the end", () -> losses.stream().anyMatch(loss -> loss.nodeId() == HOSTILE_ID));
      losses.clear();
    }
    assertThat(victim.metrics().framesRejected()).isZero();
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

  /** Long messages are kept outside of the ring, for as many bytes as the peer has credited. */
  @Test
  void shouldNotBelieveThatLongMessagesWereProcessedThatAreNotWritten() throws IOException {
    long window = 32 << 20; // more than kernels take
    Numbers numbers = new Numbers(new long[1 << 17]);
    try (RawPeer peer = join()) {
      peer.send(frame(FrameLayout.CREDIT, 0, words(0, 0, window)));
      await(
          "the connection is open",
          () -> victim.trySend(HOSTILE_ID, new Event(0)) == org.ringwire.SendStatus.ACCEPTED);
      await("the victim has the credit", () -> hostileConnection().window() == window);
      await(
          "all credit is used",
          () -> victim.trySend(HOSTILE_ID, numbers) == org.ringwire.SendStatus.BACK_PRESSURED);
      NodeMetrics.ConnectionMetrics used = hostileConnection();
      assertThat(used.detachedBytes()).as("not written").isGreaterThan(4 << 20);
      long charged = used.uncreditedBytes();
      peer.send(frame(FrameLayout.CREDIT, 0, words(charged, 0, charged + window)));
      awaitRejected(1);
    }
    await("the loss", () -> losses.stream().anyMatch(loss -> loss.nodeId() == HOSTILE_ID));
  }

  private NodeMetrics.ConnectionMetrics hostileConnection() {
    return victim.metrics().connections().stream()
        .filter(connection -> connection.nodeId() == HOSTILE_ID)
        .findAny()
        .orElseThrow();
  }
}
