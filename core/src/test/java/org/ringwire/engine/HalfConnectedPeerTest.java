package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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

/** A peer has welcomed the link of a node, and opens none of its own. */
@ExtendWith(NodeWatcher.class)
class HalfConnectedPeerTest {

  record Note(long number) {}

  private static final int PEER = 600;
  private static final long LIFE = 77;
  private static final long NEXT_LIFE = 78;

  private final TestNodes nodes = new TestNodes("tcp");
  private RawListener listener;
  private Node node;

  @BeforeEach
  void open() throws IOException {
    node = nodes.open(1, settings -> settings.keepAlive(Duration.ofHours(1)));
    listener = RawListener.open(PEER, nodes.directory());
  }

  @AfterEach
  void close() throws IOException {
    nodes.close();
    listener.close();
  }

  private RawPeer welcome() throws IOException {
    assertThat(node.trySend(PEER, new Note(1))).isEqualTo(SendStatus.NOT_CONNECTED);
    RawPeer there = listener.accept();
    RawPeer.Frame asked = there.await(FrameLayout.HELLO);
    long header = ByteBuffer.wrap(asked.bytes()).order(ByteOrder.LITTLE_ENDIAN).getLong();
    Hello hello = Hello.parse(asked.memory(), 0, header);
    return there.send(
        new Welcome(
                Handshake.VERSION,
                Handshake.ALL_FEATURES,
                PEER,
                new Incarnation(LIFE, 0),
                hello.incarnation().id(),
                true,
                false,
                null,
                new Limits(64 << 20, 64 << 10, 64 << 10),
                List.of())
            .encode());
  }

  /** It was killed before that, say, and the medium does not tell. */
  @Test
  void shouldGiveWayToItsNextLifeIfItDoesNotSayThatItLives() throws IOException {
    try (RawPeer first = welcome();
        RawPeer next = RawPeer.connect(node)) {
      await("a way", () -> node.trySend(PEER, new Note(2)) == SendStatus.ACCEPTED);
      listener.close(); // nothing waits for a link back

      next.send(RawPeer.listening(PEER, NEXT_LIFE, Handshake.ALL_FEATURES).encode());

      RawPeer.Frame close = first.lastBeforeEnd(FrameLayout.CLOSE);
      assertThat(close).as("CLOSE says why").isNotNull();
      assertThat(CloseReason.of(close.type())).isEqualTo(CloseReason.REPLACED);
      next.await(FrameLayout.WELCOME);
    }
  }
}
