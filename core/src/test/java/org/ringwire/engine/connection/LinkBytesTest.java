package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.engine.connection.link.Traffic;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.Hello;

/** What a link has carried stays in the counters of its node, whatever becomes of the link. */
@ExtendWith(NodeWatcher.class)
class LinkBytesTest {

  private MessagingNode node;
  private Connections connections;

  @BeforeEach
  void open() {
    node = NowhereProvider.openNode();
    connections = node.connections();
  }

  @AfterEach
  void close() {
    node.close(Duration.ofSeconds(1));
  }

  private PeerSession accepted(Hello hello) {
    PeerSession session = NowhereProvider.accepted(connections);
    session.opened(new TakingLink());
    try (Arena arena = Arena.ofConfined()) {
      byte[] bytes = hello.encode();
      MemorySegment memory = arena.allocate(bytes.length, Long.BYTES);
      MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
      session.received(memory, 0, bytes.length);
    }
    return session;
  }

  private Connection begun() {
    return ((ConnectResult.Begun) connections.connect(2)).connection();
  }

  private void assertThatNothingIsForgotten(Runnable end) {
    Traffic before = connections.traffic();
    assertThat(before.bytesReceived() + before.bytesSent()).isPositive();
    end.run();
    assertThat(connections.traffic()).isEqualTo(before);
  }

  @Test
  void shouldStayWhenTheLinkOfThePeerEndsAndTheAttemptGoesOn() {
    Connection connection = begun();
    PeerSession in = accepted(RawPeer.hello(2, 77, "default"));
    assertThat(connection.inbound()).isSameAs(in);
    assertThatNothingIsForgotten(() -> in.closed(null));
    assertThat(connection.inbound()).isNull();
    assertThat(connection.isEnded()).isFalse();
    Objects.requireNonNull(connection.outbound()).closed(null);
    await("the end", connections::allSettled);
  }

  @Test
  void shouldStayWhenAnotherLinkOfThePeerTakesThePlaceOfTheFirst() {
    Connection connection = begun();
    PeerSession first = accepted(RawPeer.hello(2, 77, "default"));
    long before = connections.traffic().bytesReceived();
    PeerSession second = accepted(RawPeer.hello(2, 77, "default"));
    assertThat(connection.inbound()).isSameAs(second);
    assertThat(connections.traffic().bytesReceived()).isEqualTo(2 * before);
    first.closed(null);
    second.closed(null);
    assertThat(connections.traffic().bytesReceived()).isEqualTo(2 * before);
    Objects.requireNonNull(connection.outbound()).closed(null);
    await("the end", connections::allSettled);
  }

  @Test
  void shouldStayWhenOurLinkEndsAndThatOfThePeerIsShared() {
    PeerSession in = accepted(RawPeer.listening(2, 77));
    Connection connection = Objects.requireNonNull(connections.listed(2));
    PeerSession out = Objects.requireNonNull(connection.outbound());
    out.opened(new TakingLink());
    long sent = connections.traffic().bytesSent();
    assertThat(sent).as("a HELLO").isPositive();

    out.closed(null);

    assertThat(connection.outbound()).isNull();
    await("a WELCOME, which another thread may write", () -> in.data().sentBytes() > 0);
    long shared = in.data().sentBytes();
    assertThat(connections.traffic().bytesSent()).isEqualTo(sent + shared);
    in.closed(null);
    await("the end", connections::allSettled);
    assertThat(connections.traffic().bytesSent()).isEqualTo(sent + shared);
  }

  @Test
  void shouldStayBetweenTheEndOfAnAttemptAndItsSettlement() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch waits = new CountDownLatch(1);
    connections
        .services()
        .chores()
        .execute(() -> {
          waits.countDown();
          await("the test", () -> goOn.getCount() == 0);
        });
    waits.await();
    Connection connection = begun();
    PeerSession out = Objects.requireNonNull(connection.outbound());
    out.opened(new TakingLink());
    try {
      assertThatNothingIsForgotten(() -> out.closed(null));
      assertThat(connection.neverOpened()).isTrue();
      assertThat(connections.listed(2)).isNull();
    } finally {
      goOn.countDown();
    }
    assertThatNothingIsForgotten(() -> await("the end", connections::allSettled));
  }
}
