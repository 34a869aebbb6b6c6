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
 * The other moment at which two threads could read the same lane: an ordered pooled handler has
 * waited, so that its thread has another one in its place, but has kept its lane; the next message
 * is for an ordered blocking handler, which is done, and has the lane gone on with, before the
 * thread that has started it has let go of its frame. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class ResumeScenario extends LaneScenario {

  private final CountDownLatch done = new CountDownLatch(1);
  private final Queue<Long> handled = new ConcurrentLinkedQueue<>();

  /** By reflection. */
  public ResumeScenario() {}

  /** Whether each message was handled once and in order, and no rule was broken. */
  @Override
  public boolean getAsBoolean() {
    try (Node one = open(1, settings -> {});
        Node two = open(2, settings -> settings.handlerThreads(1).compensatingThreads(1))) {
      between(() -> {
        await(done);
        pass(); // what the other thread does then, if it goes on
      });
      two.handle(
          Event.class,
          Dispatch.POOLED.inOrder(),
          (event, exchange) -> {
            Waits.begin(); // as before any wait inside of the library
            Awaiting.await("all are here", () -> two.metrics().messagesReceived() == 3);
            handled.add(event.number());
          });
      two.handle(
          Other.class,
          Dispatch.BLOCKING.inOrder(),
          (other, exchange) -> {
            handled.add(other.number());
            done.countDown();
          });
      one.send(2, new Event(0));
      one.send(2, new Other(1));
      one.send(2, new Other(2));
      Awaiting.await("all", () -> handled.size() >= 3 || two.metrics().framesRejected() > 0);
      pass();
      return List.copyOf(handled).equals(List.of(0L, 1L, 2L))
          && two.metrics().framesRejected() == 0;
    }
  }
}
