package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.RetainedExchange;
import org.ringwire.testing.NodeWatcher;

/** What a message that its handler has retained keeps of the memory that it came in. */
@ExtendWith(NodeWatcher.class)
class RetainedMemoryTest {

  /** Holds nothing of the memory. */
  record Plain(long number, String text) {}

  record Viewed(long number, MemorySegment bytes) {}

  record Late(long number) {}

  private static final int MESSAGES = 50;

  private final TestNodes nodes = new TestNodes("tcp");
  private final Queue<RetainedExchange> retained = new ConcurrentLinkedQueue<>();
  private final Queue<Viewed> views = new ConcurrentLinkedQueue<>();
  private final Node one = nodes.open(1);
  private final Node two = nodes.open(2);

  @AfterEach
  void close() {
    retained.forEach(RetainedExchange::close);
    nodes.close();
  }

  /** Keeps what comes, if it says so after another thread has gone on with the messages behind. */
  private void retain(Exchange exchange, boolean waits) {
    if (waits) {
      Late _ = two.request(1, new Late(1), Late.class, PATIENCE);
    }
    retained.add(exchange.retain());
  }

  private void handle(boolean waits) {
    one.handle(
        Late.class,
        Dispatch.BLOCKING,
        (late, exchange) -> {
          await("it has another one in its place", () -> two.metrics().handlers().waiting() > 0);
          exchange.reply(late);
        });
    two.handle(Plain.class, (plain, exchange) -> retain(exchange, waits));
    two.handle(
        Viewed.class,
        (viewed, exchange) -> {
          retain(exchange, waits);
          views.add(viewed);
        });
  }

  /** One after the other, so that each comes in memory of its own. */
  private void send(Object message) {
    int before = retained.size();
    one.send(2, message);
    await("it is retained", () -> retained.size() > before);
  }

  private long held() {
    return two.metrics().memory().bufferBytes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepNoMemoryOfMessagesWithoutViews(boolean waits) {
    handle(waits);
    for (int number = 0; number < MESSAGES; number++) {
      send(new Plain(number, "text"));
    }
    await("no memory is held", () -> held() == 0);
    assertThat(two.metrics().messagesHandled()).isZero();
    retained.forEach(RetainedExchange::close);
    await("all are processed", () -> two.metrics().messagesHandled() == MESSAGES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepTheMemoryOfViewsThatGeneratedCodecsMake(boolean waits) {
    handle(waits);
    for (int number = 0; number < MESSAGES; number++) {
      byte[] bytes = {(byte) number, 7};
      send(new Viewed(number, MemorySegment.ofArray(bytes)));
      send(new Plain(number, "what comes next"));
    }
    await("all views", () -> views.size() == MESSAGES);
    assertThat(held()).isPositive();
    for (Viewed viewed : views) {
      assertThat(viewed.bytes().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) viewed.number());
      assertThat(viewed.bytes().get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 7);
    }
    retained.forEach(RetainedExchange::close);
    await("no memory is held", () -> held() == 0);
  }
}
