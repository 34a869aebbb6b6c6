package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;

/**
 * Within a process what a pooled handler sends is handled inline on its thread, by another node:
 * when the handler has returned, as that is when it is written. (Unless that takes long: then
 * another thread comes for it, and what these tests look for cannot be seen.)
 */
@ExtendWith(NodeWatcher.class)
class BorrowedThreadTest {

  record First(long number) {}

  record Second(long number) {}

  record Tell(long number) {}

  record Ask(long number) {}

  private final TestNodes nodes = new TestNodes("loopback");

  /** Has pooled handlers, and one thread for them. */
  private final Node pooled = nodes.open(1, settings -> settings.handlerThreads(1));

  /** Has inline handlers. */
  private final Node inline = nodes.open(2);

  private final Node third = nodes.open(3);

  @AfterEach
  void close() {
    nodes.close();
  }

  /** There is no connection yet, so a virtual thread goes on with what it asks. */
  @Test
  void shouldLetAnInlineHandlerAskWhoeverHasReadForIt() throws Exception {
    third.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
    Queue<CompletableFuture<Ask>> asked = new ConcurrentLinkedQueue<>();
    inline.handle(
        Tell.class,
        Dispatch.INLINE,
        (tell, exchange) -> {
          exchange.reply(new Ask(0));
          asked.add(inline.requestAsync(3, new Ask(tell.number()), Ask.class, PATIENCE));
        });
    pooled.handle(First.class, (first, exchange) -> tell(first.number()));
    pooled.connect("" + inline.address(), PATIENCE);
    third.send(1, new First(8));

    await("it has asked, or failed", () -> isHandled(inline, 1));
    assertThat(asked).hasSize(1);
    assertThat(asked.element().get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(new Ask(8));
  }

  @Test
  void shouldForgetTheInterruptThatAnInlineHandlerLeavesToTheNextOne() throws Exception {
    inline.handle(
        Tell.class,
        Dispatch.INLINE,
        (tell, exchange) -> {
          exchange.reply(new Ask(0));
          Thread.currentThread().interrupt();
        });
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch next = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    pooled.handle(
        First.class,
        (first, exchange) -> {
          begun.countDown();
          boolean _ = next.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
          tell(first.number());
        });
    pooled.handle(
        Second.class,
        (second, exchange) -> interrupted.complete(Thread.currentThread().isInterrupted()));
    pooled.connect("" + inline.address(), PATIENCE);
    inline.send(1, new First(1)); // of another lane than the next one
    assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    third.send(1, new Second(2));
    next.countDown();

    assertThat(interrupted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isFalse();
  }

  /** Of a request it is sure that it is not written before the handler has returned. */
  private void tell(long number) {
    CompletableFuture<Ask> _ = pooled.requestAsync(2, new Tell(number), Ask.class, PATIENCE);
  }

  private static boolean isHandled(Node node, long messages) {
    return node.metrics().messagesHandled() >= messages;
  }
}
