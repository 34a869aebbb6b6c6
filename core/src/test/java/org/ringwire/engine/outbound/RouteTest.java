package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;

/** What a thread sends again goes the short way, also if it alternates. */
@ExtendWith(NodeWatcher.class)
class RouteTest {

  private static final List<Integer> RECEIVERS = List.of(2, 3, 4, 5);

  record Buy(long number) {}

  record Sell(long number) {}

  @Test
  void shouldKeepTheWaysOfTwoTypesToAFewNodes() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node sender = nodes.open(1);
      for (int id : RECEIVERS) {
        Node receiver = nodes.open(id);
        receiver.handle(Buy.class, Dispatch.INLINE, (buy, exchange) -> {});
        receiver.handle(Sell.class, Dispatch.INLINE, (sell, exchange) -> {});
      }
      for (int round = 0; round < 3; round++) {
        for (int id : RECEIVERS) {
          sender.send(id, new Buy(round));
          sender.send(id, new Sell(round));
        }
      }
      SendContext context = SendContext.current();
      for (int id : RECEIVERS) {
        assertThat(context.route(id, Buy.class).leads(sender, id, Buy.class)).isTrue();
        assertThat(context.route(id, Sell.class).leads(sender, id, Sell.class)).isTrue();
      }
    }
  }
}
