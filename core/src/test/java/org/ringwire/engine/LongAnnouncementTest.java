package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

/** A type whose announcement is longer than what a small ring holds at once. */
@ExtendWith(NodeWatcher.class)
class LongAnnouncementTest {

  record First(int number) {}

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldAnnounceBeforeTheFirstMessage(String transport) throws ClassNotFoundException {
    StringBuilder source = new StringBuilder("public enum Choice {\n");
    for (int constant = 0; constant < 1000; constant++) {
      source.append("CONSTANT_WITH_A_NAME_").append(1000 + constant).append(",\n");
    }
    Class<?> type = Sources.compile("Choice", source + "}").loadClass("Choice");
    assertThat(new MessageCatalog().typeOf(type).schema().toBytes().length).isGreaterThan(16 << 10);
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.ringCapacity(64 << 10));
      Node two = nodes.open(2, settings -> settings.ringCapacity(64 << 10));
      Queue<Object> received = new ConcurrentLinkedQueue<>();
      two.handle(First.class, Dispatch.POOLED.inOrder(), (first, exchange) -> received.add(first));
      two.handle(type, Dispatch.POOLED.inOrder(), (choice, exchange) -> received.add(choice));
      one.send(2, new First(1)); // the handshake is over
      await("the first", () -> received.size() == 1);
      Object[] choices = type.getEnumConstants();
      for (int index = 0; index < 500; index++) {
        one.send(2, choices[index]);
      }
      await("all", () -> received.size() == 501);
      assertThat(received).endsWith(choices[498], choices[499]);
      assertThat(two.metrics().framesRejected()).isZero();
    }
  }
}
