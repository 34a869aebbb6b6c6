package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.infiniband.device.Waiting;
import org.ringwire.infiniband.link.TimedLinks;
import org.ringwire.infiniband.verbs.AsyncEvent;
import org.ringwire.infiniband.verbs.EventPoll;
import org.ringwire.transport.support.InterestQueue;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * Completes what links have sent, lets those go on that had found the device full, and drives the
 * end of links (paper 003, listing 1). Links that want something of it are in an {@link
 * InterestQueue}, each once, whatever the number of links: so the next one is found in O(1) (paper
 * 003, section V).
 *
 * <p><em>How it waits.</em> While somebody waits for a completion (a writer without room, a link
 * that opens or ends) it polls for as long as its {@link Waiting} says and then waits for an event.
 * While requests are outstanding that nobody waits for, it looks now and then: no event wakes it
 * for each of them. Otherwise it sleeps without a time limit.
 *
 * <p><em>Nothing is slept over.</em> As in {@link ReceiveThread}: others write what they want and
 * then read {@code asleep}, this thread writes {@code asleep} and then looks.
 */
final class SendThread implements Runnable {

  private static final long FIRST_TICK_MS = 20;
  private static final long LONGEST_TICK_MS = 1000;
  private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(4);
  private static final TransportLog LOG = TransportLog.of(SendThread.class);

  private final IbTransport transport;
  private final Adapter adapter;
  private final SendCompletions completions;
  private final EventPoll events;
  private final Waiting waiting;
  private final Thread thread;
  private final InterestQueue queue = new InterestQueue();
  private final Queue<IbLink> starved = new ConcurrentLinkedQueue<>();
  private final AtomicInteger stalled = new AtomicInteger();
  private final TimedLinks timed = new TimedLinks(); // this thread only, as all below
  private long tickMs = FIRST_TICK_MS;
  private long endDeadlineNs;
  private boolean ending;
  private volatile boolean asleep;
  private volatile boolean shutdown;

  /** Not started. */
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
    events = new EventPoll(List.of(adapter.sendChannel()), adapter.device());
    thread = TransportThreads.create(transport.config(), name, this);
  }

  Thread thread() {
    return thread;
  }

  // Any thread.

  /** Leaves interests of a link, and wakes the thread if need be. */
  void signal(IbLink link, int interests) {
    if (queue.add(link, interests) == InterestQueue.Outcome.FIRST) {
      wake();
    }
  }

  /** A writer waits for room; looks for completions from now on. */
  void stalled() {
    stalled.getAndIncrement();
    wake();
  }

  /** A writer waits no more. */
  void resumed() {
    stalled.getAndDecrement();
  }

  /** A link waits for what all links share. */
  void starve(IbLink link) {
    starved.add(link);
  }

  /** Ends all links, and then the thread. */
  void shutdown() {
    shutdown = true;
    wake();
  }

  private void wake() {
    if (asleep) { // pairs with the write in sleep()
      events.wakeup();
    }
  }

  // The thread.

  @Override
  public void run() {
    try {
      while (!doWork()) {}
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "sending failed; all links are closed", e);
      transport.register().failAll(e);
    }
    end();
  }

  /** One round; returns whether it was the last. */
  private boolean doWork() {
    Thread.interrupted(); // left behind by a handler
    boolean any = applyInterests();
    any |= completions.tryPoll();
    resumeStarved();
    if (!timed.isEmpty()) {
      timed.look(System.nanoTime());
    }
    if (shutdown && finished()) {
      return true;
    }
    if (any) {
      waiting.found();
      tickMs = FIRST_TICK_MS;
    } else if (!isUrgent() || !waiting.looksAgain()) {
      sleep();
    }
    return false;
  }

  private boolean applyInterests() {
    InterestQueue.Node node = queue.takeAll();
    boolean any = node != null;
    while (node != null) {
      InterestQueue.Node following = node.unlink();
      IbLink link = (IbLink) node;
      apply(link, link.takeInterests());
      node = following;
    }
    return any;
  }

  private void apply(IbLink link, int interests) {
    try {
      if ((interests & (IbLink.LIMIT | IbLink.CLOSE)) != 0) {
        timed.add(link);
      }
      if ((interests & IbLink.CLOSE) != 0) {
        TimedLinks.proceed(link, System.nanoTime());
      }
      if ((interests & IbLink.OPEN) != 0) {
        link.open();
      }
      if ((interests & IbLink.WRITE) != 0) {
        link.goOn();
      }
    } catch (Throwable e) {
      link.fail(e);
    }
  }

  /** Links that lack what all share look again: as many as were there when this began. */
  private void resumeStarved() {
    for (int left = starved.size(); left > 0; left--) {
      IbLink link = starved.poll();
      if (link != null) {
        link.goOn();
      }
    }
  }

  private boolean isUrgent() {
    return stalled.get() > 0 || !timed.isEmpty();
  }

  private void sleep() {
    boolean urgent = isUrgent();
    if (urgent) {
      completions.requestNotify();
    }
    asleep = true; // volatile; pairs with the read in wake()
    boolean any = urgent && completions.pollSurely();
    if (!any && queue.isEmpty() && urgent == isUrgent() && shutdown == ending) {
      boolean _ = events.await(timeoutMs());
    }
    asleep = false;
    if (any) {
      waiting.found();
    }
    adapter.sendChannel().drain();
    if (events.isAsyncEventReady()) {
      takeAsyncEvents();
    }
  }

  private long timeoutMs() {
    long timeoutMs = -1;
    if (!transport.budget().isWhole() || !starved.isEmpty()) {
      timeoutMs = tickMs;
      tickMs = Math.min(2 * tickMs, LONGEST_TICK_MS);
    }
    long nowNs = System.nanoTime();
    if (!timed.isEmpty()) {
      timeoutMs = earlier(timeoutMs, timed.nextLookNs() - nowNs);
    }
    return ending ? earlier(timeoutMs, endDeadlineNs - nowNs) : timeoutMs;
  }

  private static long earlier(long timeoutMs, long leftNs) {
    long leftMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs) + 1);
    return timeoutMs < 0 ? leftMs : Math.min(timeoutMs, leftMs);
  }

  private void takeAsyncEvents() {
    AsyncEvent event = adapter.device().takeAsyncEvent();
    while (event != null) {
      switch (event.type()) {
        case DEVICE_FATAL, CQ_ERR, SRQ_ERR -> {
          LOG.log(System.Logger.Level.ERROR, "device failed; its links are closed: " + event, null);
          transport.register().failAll(new IOException("device failed: " + event));
        }
        case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR ->
            transport.failQueuePair(event.number(), event.type().toString());
        default -> LOG.log(System.Logger.Level.DEBUG, "device: " + event, null);
      }
      event = adapter.device().takeAsyncEvent();
    }
  }

  /** Once the thread shall end: whether no link is left, or that has taken too long. */
  private boolean finished() {
    if (!ending) {
      ending = true;
      endDeadlineNs = System.nanoTime() + END_TIMEOUT_NS;
    }
    return transport.register().isEmpty() || System.nanoTime() - endDeadlineNs >= 0;
  }

  private void end() {
    transport.register().forceAll();
    InterestQueue.Node node = queue.end();
    while (node != null) {
      node = node.unlink(); // all links have ended
    }
    transport.sendThreadEnded();
  }

  /** After the thread has ended. */
  void close() {
    events.close();
  }
}
