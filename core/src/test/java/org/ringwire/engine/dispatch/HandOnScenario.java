package org.ringwire.engine.dispatch;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.testing.Awaiting;

/**
 * The moment at which two threads could read the same lane, as one fixed interleaving of two real
 * nodes: a pooled handler waits, so that another thread goes on with its lane; it is done, and its
 * thread has said that what it has handled with may be used again; now the other thread takes that
 * for the next message, and only then looks the first whether the lane is still its own. Public,
 * because {@link org.ringwire.testing.MutantLoader} makes one.
 */
public final class HandOnScenario extends LaneScenario {

  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch looked = new CountDownLatch(1);
  private final Queue<Long> handled = new ConcurrentLinkedQueue<>();

  /** By reflection. */
  public HandOnScenario() {}

  /** Whether each message was handled once, and no rule was broken. */
  @Override
  public boolean getAsBoolean() {
    try (Node one = open(1, settings -> {});
        Node two = open(2, settings -> settings.handlerThreads(1).compensatingThreads(1))) {
      between(() -> {
        one.send(2, new Event(1));
        await(taken);
      });
      two.handle(Event.class, Dispatch.POOLED, (event, exchange) -> handle(event.number()));
      one.send(2, new Event(0));
      await(taken);
      Awaiting.await("the first thread is done", () -> two.metrics().messagesHandled() > 0);
      pass(); // what it does then, if it goes on
      looked.countDown();
      one.send(2, new Event(2));
      Awaiting.await("all", () -> handled.size() >= 3);
      return List.copyOf(handled).equals(List.of(0L, 1L, 2L))
          && two.metrics().framesRejected() == 0;
    }
  }

  private void handle(long number) {
    handled.add(number);
    if (number == 0) {
      Waits.begin(); // as before any wait inside of the library
    } else if (number == 1) {
      taken.countDown();
      await(looked);
    }
  }
}
