package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/**
 * A type that was set apart comes back when its codec is quick again, whatever its messages are.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("encoded apart from now on")
class SetApartTest {

  private static final int AT_A_TIME = 200;

  record Ask(long number) {}

  record Answer(long number) {}

  /** Whose codecs are quick, however slow the machine is. */
  private static Node open(TestNodes nodes, int id) {
    return nodes.open(id, settings -> settings.encodeTimeout(PATIENCE));
  }

  private static SlowEncoders setApart(Node node, Class<?> type) {
    NodeServices services = ((MessagingNode) node).connections().services();
    int typeId = services.config().catalog().typeOf(type).id();
    services.slowEncoders().add(typeId, "peer", true, System.nanoTime());
    assertThat(services.slowEncoders().hasAny()).isTrue();
    return services.slowEncoders();
  }

  @Test
  void shouldComeBackIfItIsSentAsAnswersOnly() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = open(nodes, 1);
      Node two = open(nodes, 2);
      two.handle(
          Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(new Answer(ask.number())));
      SlowEncoders apart = setApart(two, Answer.class);
      Awaiting.await(
          "it is back",
          () -> {
            for (int count = 0; count < AT_A_TIME; count++) {
              one.request(2, new Ask(count), Answer.class, PATIENCE);
            }
            return !apart.hasAny();
          });
    }
  }

  @Test
  void shouldComeBackIfItIsSentToManyOnly() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = open(nodes, 1);
      open(nodes, 2).handle(Ask.class, Dispatch.INLINE, (_, _) -> {});
      open(nodes, 3).handle(Ask.class, Dispatch.INLINE, (_, _) -> {});
      SlowEncoders apart = setApart(one, Ask.class);
      Awaiting.await(
          "it is back",
          () -> {
            for (int count = 0; count < AT_A_TIME; count++) {
              one.send(Set.of(2, 3), new Ask(count));
            }
            return !apart.hasAny();
          });
    }
  }
}
