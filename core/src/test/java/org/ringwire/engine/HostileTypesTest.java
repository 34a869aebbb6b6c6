package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.inbound.LinkTypes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.CloseReason;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.RefusalReason;
import org.ringwire.wire.TypeAnnouncement;

/** Peers that announce too many types, or types that differ: each loses its own connection. */
@ExtendWith(NodeWatcher.class)
class HostileTypesTest {

  private static final int HOSTILE_ID = 666;
  private static final int MOST_TYPES = 100;

  record Ask(long number) {}

  record Event(long number) {}

  private final TestNodes nodes = new TestNodes("tcp");
  private final Node victim = nodes.open(1, settings -> settings.maxAnnouncedTypes(MOST_TYPES));
  private final Node healthy = nodes.open(2);

  @AfterEach
  void end() {
    victim.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    assertThat(healthy.request(1, new Ask(5), Ask.class, PATIENCE)).isEqualTo(new Ask(5));
    nodes.close();
  }

  private static TypeAnnouncement type(int id, int schemaLength) {
    return new TypeAnnouncement(id, "hostile.Type" + id, id, new byte[schemaLength]);
  }

  /** Announces type after type until the link is closed; the CLOSE, and how many were sent. */
  private static RawPeer.@Nullable Frame flood(RawPeer peer, int most, int schemaLength)
      throws IOException {
    try {
      for (int id = 0; id < most; id++) {
        peer.send(type(id, schemaLength).encode());
      }
    } catch (IOException e) {
      return peer.lastBeforeEnd(FrameLayout.CLOSE); // closed while we were sending
    }
    return peer.lastBeforeEnd(FrameLayout.CLOSE);
  }

  private void assertClosedForTheLimit(RawPeer.@Nullable Frame close, String text) {
    await(
        "counted by its rule",
        () -> victim.metrics().rejections().getOrDefault("LIMIT", 0L).equals(1L));
    assertThat(victim.metrics().framesRejected()).isEqualTo(1);
    if (close != null) { // else the reset of the link has overtaken it
      assertThat(CloseReason.of(close.type())).isEqualTo(CloseReason.LIMIT);
      long header = FrameLayout.readHeader(close.memory(), 0);
      assertThat(ControlFrames.closeText(close.memory(), 0, header)).contains(text);
    }
  }

  @Test
  void shouldCloseOnMoreTypesThanItKeeps() throws IOException {
    try (RawPeer peer = RawPeer.join(victim, HOSTILE_ID)) {
      for (int id = 0; id < MOST_TYPES; id++) {
        peer.send(type(id, 0).encode(), type(id, 0).encode()); // the same again costs nothing
      }
      peer.send(frame(FrameLayout.PING, 0, words(7)));
      assertThat(peer.await(FrameLayout.PONG).word(0)).as("as many as allowed").isEqualTo(7);
      peer.send(type(MOST_TYPES, 0).encode());
      RawPeer.Frame close = peer.lastBeforeEnd(FrameLayout.CLOSE);
      assertThat(close).isNotNull();
      assertClosedForTheLimit(close, "maxAnnouncedTypes=" + MOST_TYPES);
    }
  }

  @Test
  void shouldCloseOnMoreBytesOfSchemasThanItKeeps() throws IOException {
    int longest = TypeAnnouncement.MAX_SCHEMA_LENGTH;
    int fits = (int) (LinkTypes.LEAST_BYTES / longest);
    assertThat(fits).isLessThan(MOST_TYPES);
    try (RawPeer peer = RawPeer.join(victim, HOSTILE_ID)) {
      assertClosedForTheLimit(flood(peer, fits + 1, longest), "limit=" + LinkTypes.LEAST_BYTES);
    }
  }

  @Test
  void shouldRefuseAHelloWithMoreTypesThanItKeeps() throws IOException {
    TypeAnnouncement[] types = new TypeAnnouncement[MOST_TYPES + 1];
    for (int id = 0; id < types.length; id++) {
      types[id] = type(id, 0);
    }
    try (RawPeer peer = RawPeer.connect(victim)) {
      peer.send(RawPeer.hello(HOSTILE_ID, 9, "default", types).encode());
      RawPeer.Frame refusal = peer.lastBeforeEnd(FrameLayout.REFUSE);
      assertThat(refusal).isNotNull();
      assertThat(RefusalReason.of(refusal.type())).isEqualTo(RefusalReason.LIMIT);
    }
    assertThat(victim.metrics().handshakesRefused()).isEqualTo(1);
  }

  @Test
  void shouldSayInAnOpenLinkThatASchemaDiffers() throws IOException {
    victim.handle(Event.class, (event, exchange) -> {});
    String name = new MessageCatalog().typeOf(Event.class).name();
    try (RawPeer peer = RawPeer.join(victim, HOSTILE_ID)) {
      peer.send(new TypeAnnouncement(9, name, 4711, new byte[0]).encode());
      RawPeer.Frame close = peer.lastBeforeEnd(FrameLayout.CLOSE);
      assertThat(close).isNotNull();
      assertThat(CloseReason.of(close.type())).isEqualTo(CloseReason.SCHEMA_MISMATCH);
    }
    assertThat(victim.metrics().rejections()).containsEntry("SCHEMA", 1L);
  }
}
