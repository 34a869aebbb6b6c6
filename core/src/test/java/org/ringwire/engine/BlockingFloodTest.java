package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;

/** The many messages for blocking handlers that one peer sends do not all come before another's. */
@ExtendWith(NodeWatcher.class)
class BlockingFloodTest {

  private static final int MANY = 10_000;

  private static final long LONG_NS = 50_000;

  record Chore(int number) {}

  record Quick(int number) {}

  private volatile boolean go;

  @Test
  void shouldCallTheHandlerOfAnotherPeerBetweenTheManyOfOne() {
    AtomicInteger done = new AtomicInteger();
    CompletableFuture<Integer> doneBefore = new CompletableFuture<>();
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1, settings -> settings.window(1 << 20, 1 << 20));
      one.handle(
          Chore.class,
          Dispatch.BLOCKING,
          (chore, exchange) -> {
            while (!go) {
              Thread.onSpinWait(); // keeps its core
            }
            long untilNs = System.nanoTime() + LONG_NS;
            while (System.nanoTime() - untilNs < 0) {
              Thread.onSpinWait(); // a moment, in which others may begin
            }
            done.incrementAndGet();
          });
      one.handle(
          Quick.class, Dispatch.BLOCKING, (quick, exchange) -> doneBefore.complete(done.get()));
      Node busy = nodes.open(2);
      for (int number = 0; number < MANY; number++) {
        busy.send(1, new Chore(number));
      }
      await("all have come", () -> one.metrics().messagesReceived() == MANY);
      nodes.open(3).send(1, new Quick(1));
      await("so has the other's", () -> one.metrics().messagesReceived() == MANY + 1);
      go = true;
      await("all are handled", () -> one.metrics().messagesHandled() == MANY + 1);
      assertThat(done).hasValue(MANY);
      assertThat(doneBefore.join()).isLessThan(MANY / 2);
    } finally {
      go = true;
    }
  }
}
