package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.ringwire.testing.Awaiting.await;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

/**
 * A type whose announcement is longer than what a small ring holds at once, or than messages may
 * be.
 */
@ExtendWith(NodeWatcher.class)
class LongAnnouncementTest {

  record First(int number) {}

  private static Class<?> choice() throws ClassNotFoundException {
    StringBuilder source = new StringBuilder("public enum Choice {\n");
    for (int constant = 0; constant < 1000; constant++) {
      source.append("CONSTANT_WITH_A_NAME_").append(1000 + constant).append(",\n");
    }
    return Sources.compile("Choice", source + "}").loadClass("Choice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldTellTypesAndFailuresThatAreLongerThanMessagesMayBe(String transport)
      throws ClassNotFoundException {
    Class<?> type = choice();
    String reason = "because ".repeat(100).strip();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.maxMessageLength(16));
      Node two = nodes.open(2, settings -> settings.maxMessageLength(16));
      Queue<Object> received = new ConcurrentLinkedQueue<>();
      two.handle(First.class, (first, exchange) -> exchange.fail(reason));
      two.handle(type, (choice, exchange) -> received.add(choice));
      assertThatExceptionOfType(RemoteHandlerException.class)
          .isThrownBy(() -> one.request(2, new First(1), First.class, TestNodes.PATIENCE))
          .withMessageContaining(reason);
      one.send(
          2, type.getEnumConstants()[7]); // the handshake is over, so it is announced by itself
      await("the choice", () -> received.size() == 1);
      assertThat(one.close(TestNodes.PATIENCE).isClean()).isTrue();
      await("its farewell", () -> two.metrics().connectionsClosed() == 1);
      assertThat(one.metrics().framesRejected()).isZero();
      assertThat(two.metrics().framesRejected()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldAnnounceBeforeTheFirstMessage(String transport) throws ClassNotFoundException {
    Class<?> type = choice();
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
