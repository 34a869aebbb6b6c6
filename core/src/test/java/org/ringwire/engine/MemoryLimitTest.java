package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.RawPeer.frame;
import static org.ringwire.engine.RawPeer.words;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.BackPressureException;
import org.ringwire.Dispatch;
import org.ringwire.MemoryLimitException;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RemoteHandlerException;
import org.ringwire.SendStatus;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;

/** At the cap on native memory what is new is refused by name, and what exists goes on. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"a long message of a peer waits", "handler of messageType"})
class MemoryLimitTest {

  private static final String NAMED = "-Dringwire.maxNativeBytes";

  record Ask(int bytes) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    MemoryBudget.limit(Long.MAX_VALUE);
    nodes.close();
    await("all is given back", () -> MemoryBudget.committed() == 0);
  }

  private static void leave(long bytes) {
    MemoryBudget.limit(MemoryBudget.committed() + bytes);
  }

  private Node answering(int id, Queue<String> refusals) {
    Node node =
        nodes.open(
            id,
            settings ->
                settings.listener(
                    new NodeListener() {
                      @Override
                      public void refused(int nodeId, String reason) {
                        refusals.add(reason);
                      }
                    }));
    node.handle(Ask.class, (ask, exchange) -> exchange.reply(new Block(new byte[ask.bytes()])));
    node.handle(Block.class, (block, exchange) -> exchange.reply(new Ask(block.bytes().length)));
    return node;
  }

  private static int ask(Node node, int to, int bytes) {
    return node.request(to, new Ask(bytes), Block.class, PATIENCE).bytes().length;
  }

  @Test
  void shouldRefuseNewConnectionsOfOursAndOfPeersAndGoOnWithOthers() {
    Queue<String> refusals = new ConcurrentLinkedQueue<>();
    Node one = answering(1, refusals);
    answering(2, refusals);
    assertThat(ask(one, 2, 10)).isEqualTo(10);
    Node late = nodes.open(3);
    leave(1 << 20);
    assertThatThrownBy(() -> late.send(2, new Ask(1)))
        .isInstanceOf(MemoryLimitException.class)
        .hasMessageContaining("nodeId=2")
        .hasMessageContaining(NAMED);
    assertThatThrownBy(() -> late.trySend(2, new Ask(1))).isInstanceOf(MemoryLimitException.class);
    assertThatThrownBy(() -> late.whenWritable(2).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(MemoryLimitException.class);
    assertThat(late.send(Set.of(2), new Ask(1)).statuses())
        .containsEntry(2, SendStatus.UNREACHABLE);
    assertThat(ask(one, 2, 30_000)).as("what exists goes on").isEqualTo(30_000);
    assertThat(one.metrics().memory().limitBytes()).isEqualTo(MemoryBudget.limit());
    assertThat(one.metrics().memory().committedBytes()).isGreaterThan(2 << 20);
    MemoryBudget.limit(Long.MAX_VALUE);
    assertThat(ask(late, 2, 20)).isEqualTo(20);
  }

  @Test
  void shouldTellThePeerThatIsRefused() throws Exception {
    Queue<String> refusals = new ConcurrentLinkedQueue<>();
    Node one = answering(1, refusals);
    leave(1 << 20);
    try (RawPeer peer = RawPeer.connect(one)) {
      peer.send(RawPeer.hello(7, 8, "default").encode());
      RawPeer.Frame refusal = peer.await(FrameLayout.REFUSE);
      assertThat(new String(refusal.bytes(), java.nio.charset.StandardCharsets.UTF_8))
          .contains(NAMED);
    }
    await("the listener hears it", () -> refusals.stream().anyMatch(text -> text.contains(NAMED)));
    assertThat(refusals).allMatch(text -> text.startsWith("LIMIT"));
  }

  @Test
  void shouldRefuseLongMessagesAndResponsesOnly() {
    Queue<String> refusals = new ConcurrentLinkedQueue<>();
    Node one = answering(1, refusals);
    answering(2, refusals);
    assertThat(ask(one, 2, 10)).isEqualTo(10);
    leave(1 << 20);
    assertThatThrownBy(() -> one.send(2, new Block(new byte[4 << 20])))
        .isInstanceOf(MemoryLimitException.class)
        .hasMessageContaining(NAMED);
    assertThatThrownBy(() -> ask(one, 2, 4 << 20))
        .isInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining(NAMED);
    for (int count = 0; count < 1000; count++) {
      assertThat(ask(one, 2, 1000)).isEqualTo(1000);
    }
    MemoryBudget.limit(Long.MAX_VALUE);
    assertThat(ask(one, 2, 4 << 20)).isEqualTo(4 << 20);
  }

  @Test
  void shouldRefuseALongMessageForSeveralNodes() {
    Queue<String> refusals = new ConcurrentLinkedQueue<>();
    Node one = answering(1, refusals);
    answering(2, refusals);
    answering(3, refusals);
    assertThat(one.send(Set.of(2, 3), new Ask(10)).allAccepted()).isTrue();
    leave(1 << 20);
    Block block = new Block(new byte[4 << 20]);
    assertThatThrownBy(() -> one.send(Set.of(2, 3), block))
        .isInstanceOf(MemoryLimitException.class)
        .hasMessageContaining(NAMED);
    MemoryBudget.limit(Long.MAX_VALUE);
    assertThat(one.send(Set.of(2, 3), block).allAccepted()).isTrue();
  }

  @Test
  void shouldLetALongMessageOfAPeerWaitUntilTheProcessHasMemory() throws Exception {
    Node one = answering(1, new ConcurrentLinkedQueue<>());
    try (RawPeer peer = RawPeer.join(one, 7)) {
      leave(1 << 20);
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(1, 4 << 20)));
      peer.send(frame(FrameLayout.PING, 0, words(77)));
      RawPeer.Frame next = peer.read();
      while (next != null && !(next.kind() == FrameLayout.PONG && next.word(0) == 77)) {
        assertThat(next.kind()).isNotEqualTo(FrameLayout.GRANT);
        next = peer.read();
      }
      assertThat(one.metrics().memory().grantedBytes()).isZero();
      MemoryBudget.limit(Long.MAX_VALUE);
      assertThat(peer.await(FrameLayout.GRANT).word(0)).isEqualTo(1);
      assertThat(one.metrics().memory().grantedBytes()).isEqualTo(4 << 20);
    }
  }

  @Test
  void shouldTellThePeerWhyItsLongMessageWaits() throws Exception {
    Node one = answering(1, new ConcurrentLinkedQueue<>());
    try (RawPeer peer = RawPeer.join(one, 7, Handshake.DELAYS)) {
      leave(1 << 20);
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(1, 4 << 20)));
      peer.send(frame(FrameLayout.ANNOUNCE, 0, words(2, 4 << 20)));
      for (long token = 1; token <= 2; token++) {
        RawPeer.Frame delay = peer.await(FrameLayout.DELAY);
        assertThat(delay.word(0)).isEqualTo(token);
        assertThat(new String(delay.bytes(), java.nio.charset.StandardCharsets.UTF_8))
            .contains(NAMED);
      }
      MemoryBudget.limit(Long.MAX_VALUE);
      assertThat(peer.await(FrameLayout.GRANT).word(0)).isEqualTo(1);
    }
  }

  @Test
  void shouldNameTheLimitOfThePeerToWhoSendsALongMessage() throws Exception {
    Node one = answering(1, new ConcurrentLinkedQueue<>());
    try (RawPeer peer = RawPeer.join(one, 7, Handshake.DELAYS)) {
      await("connected", () -> one.trySend(7, new Ask(1)) == SendStatus.ACCEPTED);
      assertThat(one.trySend(7, new Block(new byte[4 << 20]))).isEqualTo(SendStatus.BACK_PRESSURED);
      RawPeer.Frame announce = peer.await(FrameLayout.ANNOUNCE);
      peer.send(ControlFrames.delay(announce.word(0), "no memory, in a test"));
      peer.send(ControlFrames.delay(announce.word(0) + 1, "of what was not announced: ignored"));
      peer.send(frame(FrameLayout.PING, 0, words(78)));
      RawPeer.Frame pong = peer.await(FrameLayout.PONG);
      while (pong.word(0) != 78) {
        pong = peer.await(FrameLayout.PONG);
      }
      Block block = new Block(new byte[4 << 20]);
      assertThatThrownBy(() -> one.send(7, block, Duration.ofMillis(50)))
          .isInstanceOf(BackPressureException.class)
          .hasMessageContaining("the peer has no room for it: no memory, in a test");
    }
  }

  @Test
  void shouldLetAConnectionThatWasIdleWaitForMemory() throws Exception {
    Queue<String> refusals = new ConcurrentLinkedQueue<>();
    answering(2, refusals);
    Node idle = nodes.open(3, settings -> settings.idleTime(Duration.ofMillis(20)));
    long before = MemoryBudget.committed();
    idle.send(2, new Ask(1));
    await("at rest", () -> MemoryBudget.committed() - before < 2 << 20);
    MemoryBudget.limit(MemoryBudget.committed());
    assertThatThrownBy(() -> idle.send(2, new Ask(1), Duration.ofMillis(200)))
        .isInstanceOf(BackPressureException.class)
        .hasMessageContaining(NAMED);
    assertThat(idle.trySend(2, new Ask(1))).isEqualTo(SendStatus.BACK_PRESSURED);
    CompletableFuture<Void> writable = idle.whenWritable(2);
    assertThat(writable).isNotDone();
    MemoryBudget.limit(Long.MAX_VALUE);
    writable.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(idle.trySend(2, new Ask(1))).isEqualTo(SendStatus.ACCEPTED);
  }

  /** What was there when a connection began may be what others have who began with it. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void shouldNotBePassedByConnectionsThatBeginAtTheSameTime(String transport) throws Exception {
    try (TestNodes crowd = new TestNodes(transport)) {
      Node one = crowd.open(1);
      List<Node> others = new ArrayList<>();
      for (int id = 2; id < 10; id++) {
        Node node = crowd.open(id);
        node.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
        others.add(node);
      }
      long ring = crowd.builder(1).build().ringCapacity();
      leave(3 * ring); // enough for each of them, and not for all
      List<CompletableFuture<Ask>> answers = new ArrayList<>();
      for (Node node : others) {
        Duration brief = Duration.ofMillis(500); // some wait for memory until then
        answers.add(one.requestAsync(node.id(), new Ask(1), Ask.class, brief));
      }
      for (CompletableFuture<Ask> answer : answers) {
        await("an answer, or none", answer::isDone);
        assertThat(MemoryBudget.committed())
            .as("but for short frames, which are never refused")
            .isLessThan(MemoryBudget.limit() + (64 << 10));
      }
      MemoryBudget.limit(Long.MAX_VALUE);
      for (Node node : others) {
        await("connected", () -> one.trySend(node.id(), new Ask(1)) == SendStatus.ACCEPTED);
        assertThat(one.request(node.id(), new Ask(2), Ask.class, PATIENCE)).isEqualTo(new Ask(2));
      }
    }
  }

  @Test
  void shouldGiveBackWhatANodeHasCommittedForMessagesThatItNeverHandled() {
    Node one = nodes.open(1);
    CountDownLatch hold = new CountDownLatch(1);
    one.handle(
        Ask.class,
        Dispatch.BLOCKING,
        (ask, exchange) -> assertThat(hold.await(60, TimeUnit.SECONDS)).isTrue());
    Node two = nodes.open(2);
    two.send(1, new Ask(1));
    await("it is being handled", () -> one.metrics().messagesReceived() == 1);
    one.close(Duration.ofMillis(1));
    two.close(Duration.ofMillis(1));
    await("all is given back", () -> MemoryBudget.committed() == 0);
    hold.countDown();
  }

  @Test
  void shouldRefuseAPeerForWhichTheNodeHasNoWindow() {
    Node small = nodes.open(1, settings -> settings.windowBudget(1 << 20).window(1 << 20, 1 << 20));
    small.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    Node first = nodes.open(2);
    first.request(1, new Ask(1), Ask.class, PATIENCE);
    Node second = nodes.open(3);
    assertThatThrownBy(() -> second.send(1, new Ask(1)))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("windowBudget=1048576");
  }
}
