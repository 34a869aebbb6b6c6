package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.engine.connection.link.Pulse;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.RefusalReason;

/** Peers that are so far away that an answer takes longer than {@code keepAlive}. */
@ExtendWith(NodeWatcher.class)
class DistantPeerTest {

  private static final Duration KEEP_ALIVE = Duration.ofMillis(900);

  /** Of each direction. */
  private static final Duration LATENCY = KEEP_ALIVE.multipliedBy(2).dividedBy(3);

  record Ask(long number) {}

  private static Node open(TestNodes nodes, int id) {
    Node node = nodes.open(id, settings -> settings.keepAlive(KEEP_ALIVE));
    node.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    return node;
  }

  private static LongWay way(Node node) throws Exception {
    return LongWay.to(Objects.requireNonNull(node.address()), LATENCY);
  }

  @Test
  void shouldConnectToAPeerWhoseAnswersTakeLonger() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1);
      Node two = open(nodes, 2);
      try (LongWay there = way(two);
          LongWay back = way(one)) {
        nodes.directory().put(1, back.address()).put(2, there.address());
        assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE).number()).isEqualTo(1);
        assertThat(two.metrics().connectFailures()).isZero();
        one.close();
        two.close();
      }
    }
  }

  /** It has said nothing yet, so that nobody knows how far away it is. */
  @Test
  void shouldNotReplaceAPeerWhoseAnswersTakeLongerThanThoseOfOthers() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      try (RawPeer first = RawPeer.connect(one);
          RawPeer second = RawPeer.connect(one)) {
        first.send(RawPeer.hello(2, 77, "default").encode());
        RawPeer.Frame _ = first.await(FrameLayout.WELCOME);
        second.send(RawPeer.hello(2, 78, "default").encode());
        long asked = first.await(FrameLayout.PING).word(0);
        long askedNs = System.nanoTime();
        await("a long way", () -> System.nanoTime() - askedNs > LATENCY.toNanos());
        first.send(RawPeer.frame(FrameLayout.PONG, 0, RawPeer.words(asked)));
        RawPeer.Frame refusal = second.await(FrameLayout.REFUSE);
        assertThat(RefusalReason.of(refusal.type())).isEqualTo(RefusalReason.DUPLICATE_NODE);
      }
    }
  }

  @Test
  void shouldKnowHowLongTheFirstAnswerTook() {
    Pulse pulse = new Pulse();
    pulse.enter();
    pulse.leave();
    pulse.asks();
    assertThat(pulse.answerNs()).as("not yet").isEqualTo(Long.MAX_VALUE);
    pulse.enter();
    long first = pulse.answerNs();
    assertThat(first).isBetween(0L, Long.MAX_VALUE - 1);
    pulse.leave();
    pulse.enter();
    assertThat(pulse.answerNs()).isEqualTo(first);
  }

  @Test
  void shouldTakeInAPeerWithoutListenerWhoseAnswersTakeLonger() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = open(nodes, 1);
      try (LongWay there = way(one)) {
        nodes.directory().put(1, there.address());
        Node two = nodes.added(Node.open(nodes.builder(2).keepAlive(KEEP_ALIVE).build()));
        assertThat(two.request(1, new Ask(1), Ask.class, PATIENCE).number()).isEqualTo(1);
        assertThat(one.metrics().connectionEnds()).isEmpty();
        one.close();
        two.close();
      }
    }
  }
}
