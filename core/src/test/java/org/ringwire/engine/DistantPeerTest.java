package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;

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
