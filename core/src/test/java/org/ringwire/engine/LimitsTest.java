package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.BackPressureException;
import org.ringwire.Dispatch;
import org.ringwire.EncodingException;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RetainedExchange;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.TypeAnnouncement;

/** Each limit is hit, and named at the side that it concerns. {@code EndsTest} has requests. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("handler of messageType")
class LimitsTest {

  record Ask(long number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  private final TestNodes nodes = new TestNodes("tcp");
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();

  @AfterEach
  void end() {
    nodes.close();
  }

  private NodeConfig.Builder heard(NodeConfig.Builder settings) {
    return settings.listener(
        new NodeListener() {
          @Override
          public void refused(int nodeId, String reason) {
            refusals.add(reason);
          }

          @Override
          public void lost(LossReport report) {
            losses.add(report);
          }
        });
  }

  private static TypeAnnouncement type(Class<?> type) {
    return FrameEncoder.announcementOf(new MessageCatalog().typeOf(type));
  }

  private static String text(RawPeer.Frame frame) {
    return new String(frame.bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void shouldNameTheLongestMessageToItsSenderAndTheLongestFrameToThePeer() throws IOException {
    Node one = nodes.open(1, settings -> settings.maxMessageLength(1000));
    Node two = nodes.open(2);
    assertThatThrownBy(() -> two.send(1, new Block(new byte[1001])))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("message length out of range")
        .hasMessageContaining("maxMessageLength=1000 (of this node and");
    two.send(1, new Block(new byte[900]));
    try (RawPeer peer = RawPeer.join(one, 7, type(Block.class))) {
      peer.send(frame(FrameLayout.MESSAGE, type(Block.class).id(), new byte[2000]));
      assertThat(text(peer.await(FrameLayout.CLOSE))).contains("limit=1008");
    }
    await("counted", () -> one.metrics().rejections().containsKey("FRAME_LENGTH"));
  }

  @Test
  void shouldCountRequestsThatWaitForAConnection() throws IOException {
    Node one = nodes.open(1, settings -> settings.maxRequests(8));
    List<CompletableFuture<Ask>> asked = new ArrayList<>();
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nodes.directory().put(2, "127.0.0.1:" + mute.getLocalPort());
      for (int number = 0; number < 12; number++) {
        asked.add(one.requestAsync(2, new Ask(number), Ask.class, PATIENCE));
      }
      assertThat(asked.subList(8, 12))
          .allSatisfy(future ->
              assertThat(future.exceptionNow())
                  .isInstanceOf(BackPressureException.class)
                  .hasMessageContaining("maxRequests=8"));
      assertThat(asked.subList(0, 8)).noneMatch(CompletableFuture::isDone);
      assertThat(one.metrics().requestsOutstanding()).isEqualTo(8);
    }
    await("they fail", () -> asked.stream().allMatch(CompletableFuture::isDone));
    await("and count no more", () -> one.metrics().requestsOutstanding() == 0);
  }

  @Test
  void shouldLeaveAsManyRequestsToOthersAsOneHas() {
    Node one = nodes.open(1, settings -> settings.maxRequests(8));
    Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
    for (int id = 2; id <= 4; id++) {
      nodes.open(id).handle(Ask.class, (ask, exchange) -> retained.add(exchange.retain()));
    }
    nodes.open(5).handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    int[] taken = {8, 4, 2}; // the half of what there is
    for (int id = 2; id <= 4; id++) {
      Ask _ = one.request(5, new Ask(id), Ask.class, PATIENCE);
      one.send(id, new Ask(0)); // it is connected
      List<CompletableFuture<Ask>> asked = new ArrayList<>();
      for (int number = 0; number < 12; number++) {
        asked.add(one.requestAsync(id, new Ask(number), Ask.class, PATIENCE));
      }
      assertThat(asked).filteredOn(future -> !future.isDone()).hasSize(taken[id - 2]);
      assertThatThrownBy(() -> one.request(2, new Ask(1), Ask.class, PATIENCE))
          .isInstanceOf(BackPressureException.class)
          .hasMessageContaining("maxRequests=8");
    }
    assertThat(one.request(5, new Ask(5), Ask.class, PATIENCE).number()).isEqualTo(5);
    await("all have come", () -> retained.size() == 3 + 8 + 4 + 2);
    retained.forEach(RetainedExchange::close);
    await("all have ended", () -> one.metrics().requestsOutstanding() == 0);
    List<CompletableFuture<Ask>> again = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      again.add(one.requestAsync(2, new Ask(number), Ask.class, PATIENCE));
    }
    assertThat(again).noneMatch(CompletableFuture::isDone);
    await("these, too", () -> retained.size() == 17 + 8);
    retained.forEach(RetainedExchange::close);
  }

  @Test
  void shouldTellThePeerThatThereAreTooManyHandshakes() throws Exception {
    Node one = nodes.open(1, settings -> heard(settings).maxHandshakes(2));
    List<RawPeer> silent = new ArrayList<>();
    try {
      for (int count = 0; count < 2; count++) {
        silent.add(RawPeer.connect(one));
      }
      await("both are counted", () -> one.metrics().handshakes() == 2);
      try (RawPeer third = RawPeer.connect(one)) {
        assertThat(text(third.await(FrameLayout.REFUSE))).contains("maxHandshakes=2");
        third.awaitEnd();
      }
      await("the listener hears", () -> !refusals.isEmpty());
      assertThat(refusals.element()).startsWith("LIMIT").contains("maxHandshakes=2");
      assertThat(one.metrics().handshakesRefused()).isEqualTo(1);
      await("its place is free", () -> one.metrics().handshakes() == 2);
      Node two = nodes.open(2);
      assertThatThrownBy(() -> two.send(1, new Ask(1)))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("maxHandshakes=2");
    } finally {
      for (RawPeer peer : silent) {
        peer.close();
      }
    }
    await("the places are free", () -> one.metrics().handshakes() == 0);
    RawPeer.join(one, 9).close();
  }

  @Test
  void shouldTellThePeerThatThereAreTooManyConnectionsFromItsAddress() throws Exception {
    Node one = nodes.open(1, settings -> heard(settings).maxConnectionsPerAddress(2));
    List<RawPeer> open = new ArrayList<>();
    try {
      open.add(RawPeer.join(one, 10));
      open.add(RawPeer.join(one, 11));
      try (RawPeer third = RawPeer.connect(one)) {
        assertThat(text(third.await(FrameLayout.REFUSE)))
            .contains("address=127.0.0.1 maxConnectionsPerAddress=2");
      }
      await("the listener hears", () -> !refusals.isEmpty());
      assertThat(refusals.element()).startsWith("LIMIT").contains("maxConnectionsPerAddress=2");
      open.removeFirst().close();
      await("one has gone", () -> one.metrics().connections().size() == 1);
      open.add(RawPeer.join(one, 12));
    } finally {
      for (RawPeer peer : open) {
        peer.close();
      }
    }
  }

  @Test
  void shouldFailRequestsOfAPeerThatDoesNotReadAndThenEndIt() throws IOException {
    Node one = // however long this takes, its peer gives no sign of life
        nodes.open(1, it -> heard(it).maxBufferedBytes(1 << 20).keepAlive(Duration.ofHours(1)));
    int length = 60_000; // less than what each request reserves
    one.handle(
        Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(new Block(new byte[length])));
    try (RawPeer peer = RawPeer.join(one, 7, type(Ask.class))) {
      long id = 0;
      while (losses.isEmpty() // it may be ended before this has seen how much is kept for it
          && one.metrics().connections().stream().noneMatch(c -> c.detachedBytes() > 900_000)) {
        ask(peer, ++id);
      }
      await("requests fail", () -> one.metrics().handlerFailures() > 0 || ask(peer, 1 << 20));
      await(
          "it is ended",
          () -> one.metrics().rejections().containsKey("LIMIT") || ask(peer, 1 << 20));
      RawPeer.Frame last = peer.lastBeforeEnd(FrameLayout.FAILURE);
      if (last != null) { // else the reset of the link has overtaken it
        assertThat(text(last)).contains("maxBufferedBytes=1048576");
      }
    }
    await("the listener hears", () -> !losses.isEmpty());
    assertThat(losses.element().cause()).contains("maxBufferedBytes=1048576");
    await("its memory is given back", () -> one.metrics().connections().isEmpty());
  }

  private static boolean ask(RawPeer peer, long id) {
    try {
      peer.send(frame(FrameLayout.REQUEST, type(Ask.class).id(), words(id, id)));
    } catch (IOException e) {
      // ended by the node, which the caller looks for
    }
    return false;
  }

  @Test
  void shouldLetLongMessagesOfOnePeerWaitForEachOther() throws IOException {
    Node one = nodes.open(1, settings -> settings.maxBufferedBytes(10 << 20));
    try (RawPeer peer = RawPeer.join(one, 7, type(Block.class));
        RawPeer other = RawPeer.join(one, 8, type(Block.class))) {
      long length = 6 << 20;
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(1, length)));
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(2, length)));
      peer.send(frame(FrameLayout.PING, 0, words(77)));
      List<Long> granted = new ArrayList<>();
      RawPeer.Frame next = peer.read();
      while (next != null && !(next.kind() == FrameLayout.PONG && next.word(0) == 77)) {
        if (next.kind() == FrameLayout.GRANT) {
          granted.add(next.word(0));
        }
        next = peer.read();
      }
      assertThat(one.metrics().memory().grantedBytes()).isEqualTo(length);
      other.send(frame(FrameLayout.ANNOUNCE, 0, words(3, length)));
      assertThat(other.await(FrameLayout.GRANT).word(0)).as("others do not wait").isEqualTo(3);
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(1, 0))); // gives it back
      while (granted.size() < 2) {
        granted.add(peer.await(FrameLayout.GRANT).word(0));
      }
      assertThat(granted).containsExactly(1L, 2L);
    }
    await("all is given back", () -> one.metrics().memory().grantedBytes() == 0);
    Node two = nodes.open(2);
    one.handle(Block.class, (block, exchange) -> exchange.reply(new Ask(block.bytes().length)));
    Block long1 = new Block(new byte[20 << 20]); // longer than the limit: alone
    assertThat(two.request(1, long1, Ask.class, PATIENCE).number()).isEqualTo(20 << 20);
  }
}
