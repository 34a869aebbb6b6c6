package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Node;
import org.ringwire.SendStatus;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Incarnation;
import org.ringwire.wire.Limits;
import org.ringwire.wire.Welcome;

/** Rule 13: both channels of a pair carry the same two incarnations. */
@ExtendWith(NodeWatcher.class)
class TwoChannelsTest {

  record Note(long number) {}

  private static final int PEER = 600;
  private static final long LIFE = 77;
  private static final Limits LIMITS = new Limits(64 << 20, 64 << 10, 64 << 10);

  @ParameterizedTest
  @ValueSource(longs = {LIFE, LIFE + 1})
  void shouldUseTheLinkBackOnlyIfItLeadsToTheSameLife(long lifeBehindTheLinkBack)
      throws IOException {
    try (TestNodes nodes = new TestNodes("tcp");
        RawListener listener = RawListener.open(PEER, nodes.directory())) {
      Node node = nodes.open(1);
      try (RawPeer there = RawPeer.connect(node)) {
        there.send(hello().encode());
        try (RawPeer back = listener.accept()) {
          RawPeer.Frame asked = back.await(FrameLayout.HELLO);
          Hello hello = Hello.parse(asked.memory(), 0, header(asked));
          assertThat(hello.expectedIncarnation())
              .as("the life that the node has met")
              .isEqualTo(LIFE);

          back.send(welcome(lifeBehindTheLinkBack, hello.incarnation().id()).encode());

          RawPeer.Frame answered = there.await(FrameLayout.WELCOME);
          Welcome welcome = Welcome.parse(answered.memory(), 0, header(answered));
          assertThat(welcome.incarnation()).isEqualTo(hello.incarnation());
          assertThat(welcome.expectedIncarnation()).isEqualTo(LIFE);
          assertThat(welcome.shared())
              .as("whether data flows on the peer's link alone")
              .isEqualTo(lifeBehindTheLinkBack != LIFE);
        }
      }
    }
  }

  /** It is refused; as long as it was not part of the connection, its end is not that's end. */
  @Test
  void shouldStayConnectedToALifeThatHasNotConnectedYetWhenAnotherOneDoes() throws IOException {
    for (int tried = 1;
        !staysConnected();
        tried++) { // this thread may have to wait for a processor
      assertThat(tried).as("a living peer was displaced so often").isLessThan(3);
    }
  }

  /** False if the life that is connected has said too late that it lives. */
  private static boolean staysConnected() throws IOException {
    try (TestNodes nodes = new TestNodes("tcp");
        RawListener listener = RawListener.open(PEER, nodes.directory())) {
      Node node = nodes.open(1, settings -> settings.keepAlive(Duration.ofHours(1)));
      assertThat(node.trySend(PEER, new Note(1))).isEqualTo(SendStatus.NOT_CONNECTED);
      try (RawPeer there = listener.accept()) {
        RawPeer.Frame asked = there.await(FrameLayout.HELLO);
        Hello hello = Hello.parse(asked.memory(), 0, header(asked));
        there.send(welcome(LIFE, hello.incarnation().id()).encode());
        await("a way", () -> node.trySend(PEER, new Note(2)) == SendStatus.ACCEPTED);

        try (RawPeer other = RawPeer.connect(node)) {
          other.send(hello(LIFE + 1).encode());
          long ping = there.await(FrameLayout.PING).word(0);
          there.send(RawPeer.frame(FrameLayout.PONG, 0, RawPeer.words(ping)));
          other.await(FrameLayout.REFUSE);
          assertThat(other.read()).as("the end").isNull();
        } catch (IOException e) {
          assertThat(node.metrics().connectionEnds()).containsOnlyKeys("REPLACED");
          return false;
        }

        assertThat(node.trySend(PEER, new Note(3))).isEqualTo(SendStatus.ACCEPTED);
        assertThat(node.metrics().connectionEnds()).isEmpty();
      }
    }
    return true;
  }

  /** On the peer's link none of our data goes, which it could grant; on ours none of the peer's. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldEndWhereAFrameIsAboutDataThatDoesNotGoThatWay(boolean onThePeersLink)
      throws IOException {
    try (TestNodes nodes = new TestNodes("tcp");
        RawListener listener = RawListener.open(PEER, nodes.directory())) {
      Node node = nodes.open(1);
      try (RawPeer there = RawPeer.connect(node)) {
        there.send(hello().encode());
        try (RawPeer back = listener.accept()) {
          RawPeer.Frame asked = back.await(FrameLayout.HELLO);
          Hello hello = Hello.parse(asked.memory(), 0, header(asked));
          back.send(welcome(LIFE, hello.incarnation().id()).encode());
          RawPeer.Frame _ = there.await(FrameLayout.WELCOME);
          if (onThePeersLink) {
            there.send(RawPeer.frame(FrameLayout.GRANT, 0, RawPeer.words(1)));
          } else {
            back.send(RawPeer.frame(FrameLayout.ANNOUNCE, 0, RawPeer.words(1, 80 << 10)));
          }
          RawPeer.Frame close = (onThePeersLink ? there : back).lastBeforeEnd(FrameLayout.CLOSE);
          assertThat(close).isNotNull();
          assertThat(CloseReason.of(close.type())).isEqualTo(CloseReason.PROTOCOL_VIOLATION);
        }
      }
      assertThat(node.metrics().rejections()).containsEntry("FRAME_UNEXPECTED", 1L);
    }
  }

  private static Hello hello() {
    return hello(LIFE);
  }

  private static Hello hello(long life) {
    return new Hello(
        Handshake.VERSION,
        Handshake.VERSION,
        0,
        "default",
        PEER,
        1,
        new Incarnation(life, 0),
        Incarnation.UNKNOWN,
        true,
        false,
        false,
        Handshake.NO_AUTHENTICATION,
        null,
        LIMITS,
        List.of());
  }

  private static Welcome welcome(long life, long expected) {
    return new Welcome(
        Handshake.VERSION,
        0,
        PEER,
        new Incarnation(life, 0),
        expected,
        true,
        false,
        null,
        LIMITS,
        List.of());
  }

  private static long header(RawPeer.Frame frame) {
    return ByteBuffer.wrap(frame.bytes()).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
