package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.Schema;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.TypeAnnouncement;

/**
 * Peers that break the rules before they are known, over plain sockets: they lose their own
 * connection, with a counted reason, and nobody else notices.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class HostileHandshakeTest extends HealthyPair {

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

  /** Where opening so many takes longer than a handshake may, others get the places meanwhile. */
  @Test
  void shouldBoundHalfOpenHandshakesAndGoOn() throws IOException {
    List<RawPeer> flood = new ArrayList<>();
    long beganNs = System.nanoTime();
    while (flood.size() < 10 * MAX_HANDSHAKES
        || (victim.metrics().handshakesRefused() < 9 * MAX_HANDSHAKES
            && System.nanoTime() - beganNs < PATIENCE.toNanos())) {
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
    long admitted = flood.size() - victim.metrics().handshakesRefused();
    long turns = 1 + (System.nanoTime() - beganNs) / HANDSHAKE_TIME.toNanos();
    assertThat(admitted).isLessThanOrEqualTo(MAX_HANDSHAKES * turns);
    await("places are free", () -> ((MessagingNode) victim).connections().handshakesNow() == 0);
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

  /** Nothing is generated for who is not let in anyway. */
  @Test
  void shouldLookAtTheTypesOfThoseAloneWhomItLetsIn() throws IOException {
    String name = type(Event.class).name();
    Schema other = Schema.of("encoding 1\nrecord " + name + "\n number String\n");
    TypeAnnouncement bad = new TypeAnnouncement(4711, name, other.fingerprint(), other.toBytes());
    assertRefused(RawPeer.hello(HOSTILE_ID, 9, "other", bad).encode(), RefusalReason.WRONG_CLUSTER);
    assertRefused(RawPeer.hello(1, 9, "default", bad).encode(), RefusalReason.DUPLICATE_NODE);
    assertRefused(
        RawPeer.hello(HOSTILE_ID, 9, "default", bad).encode(), RefusalReason.SCHEMA_MISMATCH);
  }

  // Identity.

  /** With peers of its own; false if the living one has answered too late. */
  @FunctionalInterface
  private interface Probing {
    boolean run() throws IOException;
  }

  /** Who says in time that it lives is believed; this thread may have to wait for a processor. */
  private void tryInTime(Probing body) throws IOException {
    for (int tried = 1; !body.run(); tried++) {
      assertThat(tried).as("a living peer was displaced so often").isLessThan(3);
      await(
          "nobody has its id",
          () -> victim.metrics().connections().stream().noneMatch(c -> c.nodeId() == HOSTILE_ID));
    }
  }

  /** Whether another life is refused; else it is welcome. */
  private static boolean isRefused(RawPeer other) throws IOException {
    RawPeer.Frame verdict = other.read();
    while (verdict != null
        && verdict.kind() != FrameLayout.REFUSE
        && verdict.kind() != FrameLayout.WELCOME) {
      verdict = other.read();
    }
    assertThat(verdict).isNotNull();
    if (verdict.kind() == FrameLayout.WELCOME) {
      return false;
    }
    assertThat(RefusalReason.of(verdict.type())).isEqualTo(RefusalReason.DUPLICATE_NODE);
    assertThat(new String(verdict.bytes(), StandardCharsets.UTF_8))
        .contains("is connected and alive: address=127.0.0.1:");
    other.awaitEnd();
    return true;
  }

  @Test
  void shouldRefuseASecondLifeOfALivingPeerAndAdmitOneOfADeadPeer() throws IOException {
    tryInTime(this::refuseASecondLifeOfALivingPeerAndAdmitOneOfADeadPeer);
  }

  private boolean refuseASecondLifeOfALivingPeerAndAdmitOneOfADeadPeer() throws IOException {
    try (RawPeer first = join(type(Event.class));
        RawPeer second = RawPeer.connect(victim)) {
      second.send(RawPeer.hello(HOSTILE_ID, 77, "default").encode());
      long asked = first.await(FrameLayout.PING).word(0);
      try {
        first.send(frame(FrameLayout.PONG, 0, words(asked)));
      } catch (IOException e) {
        return false; // ended by the node: this was too late
      }
      if (!isRefused(second)) {
        return false;
      }
      first.send(frame(FrameLayout.MESSAGE, type(Event.class).id(), words(1)));
      await("the first goes on", () -> events.contains(1L));

      try (RawPeer third = RawPeer.connect(victim)) { // the first does not answer this time
        third.send(RawPeer.hello(HOSTILE_ID, 78, "default", type(Event.class)).encode());
        third.await(FrameLayout.WELCOME);
        third.send(frame(FrameLayout.MESSAGE, type(Event.class).id(), words(2)));
        await("the new life is served", () -> events.contains(2L));
        RawPeer.Frame close = first.lastBeforeEnd(FrameLayout.CLOSE);
        assertThat(close).as("CLOSE says why").isNotNull();
        assertThat(CloseReason.of(close.type())).isEqualTo(CloseReason.REPLACED);
      }
    }
    return true;
  }

  /**
   * It says that it lives also unasked, and of several pings that wait it answers the last only.
   */
  @Test
  void shouldRefuseASecondLifeWhateverElseTheLivingPeerSays() throws IOException {
    tryInTime(this::refuseASecondLifeWhateverElseTheLivingPeerSays);
  }

  private boolean refuseASecondLifeWhateverElseTheLivingPeerSays() throws IOException {
    try (RawPeer first = join(type(Event.class));
        RawPeer second = RawPeer.connect(victim);
        RawPeer third = RawPeer.connect(victim)) {
      second.send(RawPeer.hello(HOSTILE_ID, 77, "default").encode());
      third.send(RawPeer.hello(HOSTILE_ID, 78, "default").encode());
      long last;
      try {
        first.await(FrameLayout.PING);
        last = first.await(FrameLayout.PING).word(0);
        for (long token : new long[] {last, 0, last - 2, last + 1}) {
          first.send(frame(FrameLayout.PONG, 0, words(token)));
        }
      } catch (IOException e) {
        return false; // ended by the node: this was too late
      }
      if (!isRefused(second) || !isRefused(third)) {
        return false;
      }

      try (RawPeer fourth = RawPeer.connect(victim)) { // what answers no ping is no sign
        fourth.send(RawPeer.hello(HOSTILE_ID, 79, "default").encode());
        long asked = first.await(FrameLayout.PING).word(0);
        for (long token : new long[] {last, 0, asked + 1}) {
          first.send(frame(FrameLayout.PONG, 0, words(token)));
        }
        fourth.await(FrameLayout.WELCOME);
        first.awaitEnd();
      }
    }
    return true;
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
}
