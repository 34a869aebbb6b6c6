package org.ringwire.engine.dispatch;

import java.time.Duration;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.ring.NativeMemory;
import org.ringwire.testing.Awaiting;

/**
 * A handler wants to retain its message, and there is no heap for that. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class RetainScenario extends LaneScenario {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** By reflection. */
  public RetainScenario() {}

  /** Whether the message counts once, as one whose handler has failed; its memory comes back. */
  @Override
  public boolean getAsBoolean() {
    boolean once;
    try (Node one = open(1, settings -> {});
        Node two = open(2, settings -> settings.handlerThreads(1))) {
      two.handle(
          Event.class,
          Dispatch.POOLED,
          (event, exchange) -> {
            if (event.number() > 0) {
              var _ = exchange.retain();
            }
            exchange.reply(event);
          });
      between(() -> {
        throw new OutOfMemoryError("as if there was no heap");
      });
      once = fails(one) && counts(one, two, 2) && counts(one, two, 3);
    }
    Awaiting.await("all memory", () -> NativeMemory.openOwners().isEmpty());
    return once;
  }

  private static boolean fails(Node one) {
    try {
      request(one, 1);
      return false;
    } catch (RemoteHandlerException e) {
      return true;
    }
  }

  private static void request(Node one, long number) {
    Event _ = one.request(2, new Event(number), Event.class, PATIENCE);
  }

  /** Whether so many are handled with another one. */
  private static boolean counts(Node one, Node two, long total) {
    request(one, 0);
    Awaiting.await("messages count", () -> two.metrics().messagesHandled() >= total);
    return two.metrics().messagesHandled() == total;
  }
}
