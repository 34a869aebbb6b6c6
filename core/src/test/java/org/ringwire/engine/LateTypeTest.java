package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;

/** A response that goes out beside the ring does not overtake what tells the peer of its type. */
@ExtendWith(NodeWatcher.class)
class LateTypeTest {

  record Ask(int length) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(byte[] bytes) {}

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    nodes.close();
  }

  /** Longer than a quarter of the ring, but within what the requester has reserved. */
  @Test
  void shouldTellOfATypeBeforeAResponseThatIsTooLongForTheRing() {
    Node one = nodes.open(1);
    Node two = nodes.open(2, settings -> settings.ringCapacity(64 << 10));
    two.handle(
        Ask.class,
        Dispatch.POOLED,
        (ask, exchange) -> {
          if (ask.length() == 0) {
            exchange.reply(ask);
          } else {
            exchange.reply(new Answer(new byte[ask.length()]));
          }
        });
    assertThat(one.request(2, new Ask(0), Ask.class, PATIENCE).length()).isZero();
    Answer answer = one.request(2, new Ask(40_000), Answer.class, PATIENCE);
    assertThat(answer.bytes()).hasSize(40_000);
    assertThat(one.metrics().connectionsLost()).isZero();
  }
}
