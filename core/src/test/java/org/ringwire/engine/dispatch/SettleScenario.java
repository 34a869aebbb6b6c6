package org.ringwire.engine.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.testing.Awaiting;

/**
 * One more moment at which two threads could read the same lane: a thread has just said that it is
 * empty, when the next message comes, and another thread takes it, since the first one is late, or
 * has another in its place. Public, because {@link org.ringwire.testing.MutantLoader} makes one.
 */
public final class SettleScenario extends LaneScenario {

  /** By reflection. */
  public SettleScenario() {}

  /** Whether each message was handled and counted once. */
  @Override
  public boolean getAsBoolean() {
    return isCountedOnce(2, LaneScenario::pass) && isCountedOnce(1, Waits::begin);
  }

  /**
   * Two messages.
   *
   * @param first what the handler of the first does, so that another thread takes the second
   */
  private static boolean isCountedOnce(int threads, Runnable first) {
    Queue<Long> handled = new ConcurrentLinkedQueue<>();
    CountDownLatch taken = new CountDownLatch(1);
    try (Node one = open(1, settings -> {});
        Node two = open(2, it -> it.handlerThreads(threads).compensatingThreads(1))) {
      two.handle(
          Event.class,
          Dispatch.POOLED.inOrder(),
          (event, exchange) -> {
            handled.add(event.number());
            if (event.number() == 0) {
              first.run();
              between(() -> {
                one.send(2, new Event(1));
                await(taken);
              });
            } else {
              taken.countDown();
              pass(); // what the first thread does then, if it goes on
            }
          });
      one.send(2, new Event(0));
      Awaiting.await("both are counted", () -> two.metrics().messagesHandled() == 2);
      return List.copyOf(handled).equals(List.of(0L, 1L))
          && two.metrics().framesRejected() == 0
          && one.close(Duration.ofSeconds(10)).isClean();
    }
  }
}
