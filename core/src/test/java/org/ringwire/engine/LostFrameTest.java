package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Node;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.TypeAnnouncement;

/**
 * A peer takes memory away that this node is reading, as it can through shared memory, while a
 * frame is copied into its lane: what the frame was charged to comes back.
 */
@ExtendWith(NodeWatcher.class)
class LostFrameTest {

  private static final int PEER_ID = 666;
  private static final int LENGTH = FrameLayout.HEADER_LENGTH + (40 << 10);
  private static final int PAGE = 4 << 10;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Event(byte[] bytes) {}

  @TempDir private Path folder;

  private final TypeAnnouncement type =
      FrameEncoder.announcementOf(new MessageCatalog().typeOf(Event.class));
  private final TestNodes nodes = new TestNodes("tcp");
  private final MessagingNode victim = (MessagingNode) nodes.open(1);
  private final NodeServices services = victim.connections().services();

  @AfterEach
  void end() {
    nodes.close();
  }

  /** A frame whose header is there, and whose body is not. */
  private void receive(long header) throws IOException {
    try (Arena arena = Arena.ofShared();
        FileChannel file =
            FileChannel.open(
                folder.resolve("ring"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
      MemorySegment memory = file.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH, arena);
      FrameLayout.writeWord(memory, 0, header);
      PeerSession session = victim.connections().all().getFirst().inbound();
      file.truncate(PAGE);
      assertThatThrownBy(() -> session.received(memory, 0, LENGTH))
          .isInstanceOf(InternalError.class);
    }
  }

  private void ignoreEvents() {
    ((Node) victim).handle(Event.class, (event, exchange) -> {});
  }

  private void awaitEnd() { // of the link, as if that error had come to its thread
    await("the end", () -> victim.connections().all().isEmpty());
  }

  @Test
  void shouldHaveBackTheWindow() throws IOException {
    ignoreEvents();
    long available = services.windows().available();
    try (RawPeer _ = RawPeer.join(victim, PEER_ID, type)) {
      receive(FrameLayout.header(FrameLayout.MESSAGE, type.id(), LENGTH));
    }
    awaitEnd();
    await("the window", () -> services.windows().available() == available);
  }

  @Test
  void shouldHaveBackTheGrant() throws IOException {
    ignoreEvents();
    try (RawPeer peer = RawPeer.join(victim, PEER_ID, type)) {
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(1, LENGTH)));
      peer.await(FrameLayout.GRANT);
      receive(FrameLayout.granted(FrameLayout.header(FrameLayout.MESSAGE, type.id(), LENGTH)));
    }
    awaitEnd();
    await("the grant", () -> services.grants().granted() == 0);
  }
}
