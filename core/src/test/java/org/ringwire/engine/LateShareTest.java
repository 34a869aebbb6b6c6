package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.SendStatus;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Incarnation;
import org.ringwire.wire.Limits;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.Welcome;

/** A link is shared after all, of which the WELCOME has said that it is not. */
@ExtendWith(NodeWatcher.class)
class LateShareTest {

  record Note(long number) {}

  private static final int PEER = 600;
  private static final long LIFE = 77;

  private final TypeAnnouncement type =
      FrameEncoder.announcementOf(new MessageCatalog().typeOf(Note.class));
  private final TestNodes nodes = new TestNodes("tcp");
  private final Queue<Long> heard = new ConcurrentLinkedQueue<>();
  private RawListener listener;
  private Node node;

  @BeforeEach
  void open() throws IOException {
    node = nodes.open(1, settings -> settings.keepAlive(Duration.ofHours(1)));
    node.handle(Note.class, (note, exchange) -> heard.add(note.number()));
    listener = RawListener.open(PEER, nodes.directory());
  }

  @AfterEach
  void close() throws IOException {
    nodes.close();
    listener.close();
  }

  /** The node's link, which it has opened in order to send. */
  private RawPeer opened() throws IOException {
    assertThat(node.trySend(PEER, new Note(1))).isEqualTo(SendStatus.NOT_CONNECTED);
    return listener.accept();
  }

  /** The same, welcomed as one of two. */
  private RawPeer welcomed() throws IOException {
    return welcomed(false);
  }

  private RawPeer welcomed(boolean shared) throws IOException {
    RawPeer there = opened();
    RawPeer.Frame asked = there.await(FrameLayout.HELLO);
    Hello hello = Hello.parse(asked.memory(), 0, header(asked));
    assertThat(hello.features() & Handshake.SHARES).isEqualTo(Handshake.SHARES);
    return there.send(
        new Welcome(
                Handshake.VERSION,
                Handshake.SHARES,
                PEER,
                new Incarnation(LIFE, 0),
                hello.incarnation().id(),
                true,
                shared,
                null,
                new Limits(64 << 20, 64 << 10, 64 << 10),
                List.of())
            .encode());
  }

  private static long header(RawPeer.Frame frame) {
    return ByteBuffer.wrap(frame.bytes()).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private void send(RawPeer from, long number) throws IOException {
    from.send(RawPeer.frame(FrameLayout.MESSAGE, type.id(), RawPeer.words(number)));
  }

  private void assertThatTheNodeSendsOver(RawPeer there) throws IOException {
    await("a way", () -> node.trySend(PEER, new Note(2)) == SendStatus.ACCEPTED);
    there.await(FrameLayout.MESSAGE);
    assertThat(node.metrics().connectionEnds()).isEmpty();
  }

  /** In any order: both go out ahead of data. */
  private static void awaitShareAndCredit(RawPeer there) throws IOException {
    Set<Integer> due = new HashSet<>(Set.of(FrameLayout.SHARE, FrameLayout.CREDIT));
    while (!due.isEmpty()) {
      RawPeer.Frame frame = Objects.requireNonNull(there.read(), "the end");
      assertThat(frame.kind()).isNotIn(FrameLayout.TYPE, FrameLayout.MESSAGE);
      due.remove(frame.kind());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldTellThePeerIfItKnowsHow(boolean knowsHow) throws IOException {
    RawPeer back = opened();
    RawPeer.Frame _ = back.await(FrameLayout.HELLO);
    try (RawPeer there = RawPeer.connect(node)) {
      there.send(RawPeer.listening(PEER, LIFE, knowsHow ? Handshake.SHARES : 0).encode());
      RawPeer.Frame answered = there.await(FrameLayout.WELCOME);
      assertThat(Welcome.parse(answered.memory(), 0, header(answered)).shared()).isFalse();

      back.close();

      if (knowsHow) {
        awaitShareAndCredit(there);
        assertThatTheNodeSendsOver(there);
        there.send(type.encode());
        send(there, 3);
        await("what the peer sends", () -> heard.contains(3L));
      } else {
        assertThat(there.lastBeforeEnd(FrameLayout.SHARE)).isNull();
      }
    }
  }

  @Test
  void shouldTakeDataOverItsLinkOnceItIsTold() throws IOException {
    try (RawPeer there = welcomed()) {
      there.send(ControlFrames.share(), type.encode());
      send(there, 3);
      await("what the peer sends", () -> heard.contains(3L));
      assertThatTheNodeSendsOver(there);

      there.send(ControlFrames.share());
      assertThat(there.lastBeforeEnd(FrameLayout.CLOSE)).as("told once more").isNotNull();
    }
  }

  @Test
  void shouldLetGoOfALinkThatThePeerHasOpened() throws IOException {
    try (RawPeer there = welcomed();
        RawPeer late = RawPeer.connect(node)) {
      late.send(RawPeer.listening(PEER, LIFE, Handshake.SHARES).encode());
      late.await(FrameLayout.WELCOME);

      there.send(ControlFrames.share(), type.encode());

      late.awaitEnd();
      send(there, 3);
      await("what the peer sends", () -> heard.contains(3L));
      assertThatTheNodeSendsOver(there);
    }
  }

  /** The peer has broken no rule. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotBlameThePeerWhereThereIsNoMemoryForItsWindow(boolean later) throws IOException {
    node.close();
    Queue<LossReport> ends = new ConcurrentLinkedQueue<>();
    int window = 1 << 20;
    node =
        nodes.open(
            1,
            settings ->
                settings
                    .windowBudget(window)
                    .window(window, window)
                    .keepAlive(Duration.ofHours(1))
                    .listener(
                        new NodeListener() {
                          @Override
                          public void lost(LossReport report) {
                            ends.add(report);
                          }
                        }));
    try (RawPeer _ = RawPeer.join(node, 7);
        RawPeer there = welcomed(!later)) {
      if (later) {
        assertThatTheNodeSendsOver(there);
        there.send(ControlFrames.share());
      }

      RawPeer.Frame close = there.lastBeforeEnd(FrameLayout.CLOSE);

      assertThat(close).isNotNull();
      assertThat(CloseReason.of(close.type())).isEqualTo(CloseReason.INTERNAL_ERROR);
      assertThat(new String(close.bytes(), StandardCharsets.UTF_8))
          .contains("no memory for another window");
      assertThat(node.metrics().rejections()).containsOnlyKeys("INTERNAL");
      if (later) {
        await("the end", () -> !ends.isEmpty());
        assertThat(ends.element().reason()).isEqualTo(EndReason.LINK_LOST);
        assertThat(ends.element().cause())
            .contains("this node failed at what had come: no memory for another window");
      }
    }
  }

  @Test
  void shouldNotBeToldOverALinkOfThePeers() throws IOException {
    try (RawPeer there = RawPeer.join(node, 7)) {
      there.send(ControlFrames.share());
      assertThat(there.lastBeforeEnd(FrameLayout.CLOSE)).isNotNull();
      assertThat(node.metrics().rejections()).containsKey("FRAME_UNEXPECTED");
    }
  }
}
