package org.ringwire.engine.dispatch;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.ConnectionLostException;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.RetainedExchange;
import org.ringwire.engine.MessagingNode;
import org.ringwire.testing.Awaiting;

/**
 * A connection ends on a thread that finds no heap for one of the steps. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class EndScenario extends LaneScenario {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AtomicBoolean starved = new AtomicBoolean();
  private final AtomicInteger lost = new AtomicInteger();
  private final Queue<RetainedExchange> unanswered = new ConcurrentLinkedQueue<>();

  /** By reflection. */
  public EndScenario() {}

  /** Whether what waits for it ends all the same, and the nodes connect again. */
  @Override
  public boolean getAsBoolean() {
    NodeListener listener =
        new NodeListener() {
          @Override
          public void lost(LossReport report) {
            lost.incrementAndGet();
          }
        };
    try (Node one =
            open(1, settings -> settings.keepAlive(Duration.ofSeconds(1)).listener(listener));
        Node two = open(2, settings -> settings.listener(listener))) {
      two.handle(
          Event.class, Dispatch.POOLED, (event, exchange) -> unanswered.add(exchange.retain()));
      two.handle(Other.class, Dispatch.INLINE, (other, exchange) -> exchange.reply(other));
      CompletableFuture<Event> waits = one.requestAsync(2, new Event(1), Event.class, PATIENCE);
      Awaiting.await("the request", () -> !unanswered.isEmpty());
      endWithoutHeap((MessagingNode) one);
      Awaiting.await("the end of what waits", waits::isCompletedExceptionally);
      boolean told = waits.exceptionNow() instanceof ConnectionLostException;
      boolean answered = one.request(2, new Other(7), Other.class, PATIENCE).number() == 7;
      unanswered.forEach(RetainedExchange::close);
      Awaiting.await("nothing is left", () -> one.metrics().connections().size() == 1);
      Awaiting.await("both listeners hear of it", () -> lost.get() > 1);
      return starved.get() && told && answered && lost.get() == 2;
    }
  }

  /** On this thread, or that of the transport, which hears that the links have ended. */
  private void endWithoutHeap(MessagingNode node) {
    between(() -> {
      starved.set(true);
      throw new OutOfMemoryError("as if there was no heap");
    });
    try {
      node.connections().all().getFirst().end(EndReason.NO_SIGN_OF_LIFE, "no sign of life");
    } catch (OutOfMemoryError e) {
      // others go on with it
    }
  }
}
