package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ringwire.engine.TestNodes.PATIENCE;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.SendStatus;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/**
 * What a link has begun to end takes nothing any more, and its connection hears of that later, from
 * the thread that reads: here that thread is in a handler which sends.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("broken by the test")
class EndingWayTest {

  record Ask(long number) {}

  record Trigger(long number) {}

  private final TestNodes nodes = new TestNodes("tcp");
  private final LinkedBlockingQueue<Object> seen = new LinkedBlockingQueue<>();
  private MessagingNode one;
  private Node three;

  @BeforeEach
  void open() {
    one = (MessagingNode) nodes.open(1);
    nodes.open(2).handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
    three = nodes.open(3);
    assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
  }

  @AfterEach
  void end() {
    nodes.close();
  }

  private void breakLink() {
    Connection connection = Objects.requireNonNull(one.connections().get(2));
    Objects.requireNonNull(connection.outbound()).end("broken by the test");
    assertThat(connection.isEnded()).as("nobody has told it").isFalse();
    assertThat(connection.cause()).isEqualTo("broken by the test");
  }

  private Object next() throws InterruptedException {
    return Objects.requireNonNull(seen.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), "nothing");
  }

  @Test
  void shouldNotHoldTheThreadThatReadsInASend() throws Exception {
    one.handle(
        Trigger.class,
        Dispatch.INLINE,
        (_, _) -> {
          breakLink();
          seen.add(catchThrowable(() -> one.send(2, new Ask(2), Duration.ofSeconds(5))));
          seen.add(one.trySend(2, new Ask(3)));
        });
    three.send(1, new Trigger(1));
    assertThat(next())
        .isInstanceOf(IllegalStateException.class)
        .asString()
        .contains("an inline handler may not wait for a connection");
    assertThat(next()).isEqualTo(SendStatus.NOT_CONNECTED);
    assertThat(one.request(2, new Ask(4), Ask.class, PATIENCE)).isEqualTo(new Ask(4));
  }

  @Test
  void shouldSendARequestOnTheNextConnection() throws Exception {
    one.handle(
        Trigger.class,
        Dispatch.INLINE,
        (_, _) -> {
          breakLink();
          seen.add(one.requestAsync(2, new Ask(2), Ask.class));
        });
    three.send(1, new Trigger(1));
    CompletableFuture<?> answer = (CompletableFuture<?>) next();
    assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(2));
  }
}
