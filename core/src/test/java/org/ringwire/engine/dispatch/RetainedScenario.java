package org.ringwire.engine.dispatch;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.RetainedExchange;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.Awaiting;

/**
 * A handler retains its message and throws, and there is no heap to say so. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class RetainedScenario extends LaneScenario {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Queue<RetainedExchange> kept = new ConcurrentLinkedQueue<>();

  /** By reflection. */
  public RetainedScenario() {}

  /** Whether each message counts once, when it is closed, and its memory comes back. */
  @Override
  public boolean getAsBoolean() {
    boolean once;
    try (Node one = open(1, settings -> {});
        Node two = open(2, settings -> settings.handlerThreads(1))) {
      two.handle(Other.class, Dispatch.BLOCKING, (other, exchange) -> keep(exchange));
      two.handle(
          Event.class,
          Dispatch.POOLED,
          (event, exchange) -> {
            if (event.number() > 0) {
              keep(exchange);
            }
            exchange.reply(new Event(two.metrics().messagesHandled()));
          });
      once = countsOnce(one, two, new Other(1)) && countsOnce(one, two, new Event(1));
    }
    Awaiting.await("all memory", () -> NativeMemory.openOwners().isEmpty());
    return once;
  }

  private void keep(Exchange exchange) {
    kept.add(exchange.retain());
    throw new IllegalStateException("as if the handler failed");
  }

  private boolean countsOnce(Node one, Node two, Numbered message) {
    long before = two.metrics().messagesHandled();
    CountDownLatch starved = new CountDownLatch(1);
    between(() -> {
      starved.countDown();
      throw new OutOfMemoryError("as if there was no heap");
    });
    var _ = one.requestAsync(2, message, message.getClass()); // whose link may end
    await(starved);
    boolean early = handledBefore(two) != before;
    awaitHandled(two, before + 1);
    kept.remove().close();
    awaitHandled(two, before + 2);
    boolean once = handledBefore(two) == before + 2;
    awaitHandled(two, before + 3);
    return once && !early;
  }

  /** What the only thread of the pool has counted when it comes to a message of the node itself. */
  private static long handledBefore(Node node) {
    return node.request(2, new Event(0), Event.class, PATIENCE).number();
  }

  private static void awaitHandled(Node node, long count) {
    Awaiting.await("messages count", () -> node.metrics().messagesHandled() >= count);
  }
}
