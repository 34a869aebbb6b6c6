package org.ringwire.infiniband.msgrc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.infiniband.device.Waiting;
import org.ringwire.infiniband.link.EngineThread;
import org.ringwire.infiniband.verbs.types.AsyncEvent;

/**
 * What the {@link EngineThread} of {@code msgrc} does: completes what links have sent, lets those
 * go on that had found the device full, and drives the end of links (Ibdxnet paper, listing 1).
 *
 * <p><em>How it waits.</em> While somebody waits for a completion (a writer without room, a link
 * that opens or ends) it polls for as long as its {@link Waiting} says and then waits for an event.
 * While requests are outstanding that nobody waits for, it looks now and then: no event wakes it
 * for each of them. Otherwise it sleeps: for a second while there are links, as what is posted
 * meanwhile wakes nobody, and else without a time limit.
 */
final class SendThread implements EngineThread.Duty {

  private static final long FIRST_TICK_MS = 20;
  private static final long LONGEST_TICK_MS = 1000;

  private final IbTransport transport;
  private final Adapter adapter;
  private final SendCompletions completions;
  private final Waiting waiting;
  private final EngineThread thread;
  private final AtomicInteger stalled = new AtomicInteger();
  private final AtomicLong stalls = new AtomicLong();
  private long tickMs = FIRST_TICK_MS; // the thread only

  /** Not started. */
  @SuppressWarnings("this-escape") // a final class
  SendThread(
      IbTransport transport,
      Adapter adapter,
      SendCompletions completions,
      String name,
      Waiting waiting) {
    this.transport = transport;
    this.adapter = adapter;
    this.completions = completions;
    this.waiting = waiting;
    thread =
        new EngineThread(
            transport.config(),
            name,
            transport.register(),
            adapter.newEventPoll(adapter.sendChannel(), adapter.device()),
            adapter.device()::takeAsyncEvent,
            this);
  }

  /** The thread itself. */
  EngineThread thread() {
    return thread;
  }

  // Any thread.

  /** A writer waits for room; looks for completions from now on. */
  void stalled() {
    stalled.getAndIncrement();
    stalls.getAndIncrement();
    thread.wake();
  }

  /** A writer waits no more. */
  void resumed() {
    stalled.getAndDecrement();
  }

  /** How often a writer has waited for room. */
  long stalls() {
    return stalls.get();
  }

  // The thread.

  @Override
  public boolean work() {
    boolean any = thread.applyInterests();
    any |= completions.tryPoll();
    thread.resumeStarved();
    return any;
  }

  @Override
  public void rest(boolean any) {
    if (any) {
      waiting.found();
      tickMs = FIRST_TICK_MS;
    } else if (!isUrgent() || !waiting.looksAgain()) {
      sleep();
    }
  }

  private boolean isUrgent() {
    return stalled.get() > 0 || thread.hasTimed();
  }

  private void sleep() {
    boolean urgent = isUrgent();
    if (urgent) {
      completions.requestNotify();
    }
    thread.beginWait();
    boolean any = urgent && completions.pollSurely();
    if (!any && urgent == isUrgent() && thread.mayWait()) {
      thread.await(tick());
    }
    thread.endWait();
    if (any) {
      waiting.found();
    }
    adapter.sendChannel().drain();
  }

  /** When to look without an event, as nobody waits for what is outstanding; -1 for never. */
  private long tick() {
    if (transport.budget().isWhole() && !thread.hasStarved()) {
      return transport.register().isEmpty() ? -1 : LONGEST_TICK_MS; // a new link wakes it
    }
    long timeoutMs = tickMs;
    tickMs = Math.min(2 * tickMs, LONGEST_TICK_MS);
    return timeoutMs;
  }

  @Override
  public void queuePairFailed(AsyncEvent event) {
    transport.failQueuePair(event.number(), event.type().toString());
  }

  @Override
  public void lastRequestReached(AsyncEvent event) {
    transport.lastRequestReached(event.number());
  }

  @Override
  public void portChanged(AsyncEvent event) {
    adapter.port().changed(event);
  }

  @Override
  public void ended() {
    transport.sendThreadEnded();
  }
}
