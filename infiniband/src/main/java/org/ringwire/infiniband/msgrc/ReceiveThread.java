package org.ringwire.infiniband.msgrc;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.device.Waiting;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.EventPoll;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.WorkStatus;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * Receives for all links (paper 003, listing 2): polls the completion queue, refills the shared
 * receive queue, hands over what has arrived. When there is nothing it polls on for as long as its
 * {@link Waiting} says, and then waits for an event.
 *
 * <p><em>Nothing is slept over.</em> The queue is asked for an event and then polled once more. Who
 * leaves something else to this thread does so first and then reads {@code asleep}; this thread
 * writes {@code asleep} and then looks. All are volatile, and a wake-up before the wait ends it at
 * once.
 */
final class ReceiveThread implements Runnable {

  private static final int BATCH = 32;
  private static final TransportLog LOG = TransportLog.of(ReceiveThread.class);

  private final IbTransport transport;
  private final CompletionQueue completions;
  private final ReceiveQueue queue;
  private final Adapter adapter;
  private final WorkCompletions batch;
  private final EventPoll events;
  private final Waiting waiting;
  private final Thread thread;
  private final Queue<IbLink> checks = new ConcurrentLinkedQueue<>();
  private final List<IbLink> gone = new ArrayList<>(); // this thread only
  private final AtomicLong notifications = new AtomicLong();
  private volatile boolean asleep;
  private volatile boolean ended;

  /** Not started. */
  ReceiveThread(IbTransport transport, Adapter adapter, String name, Waiting waiting) {
    this.transport = transport;
    this.adapter = adapter;
    this.waiting = waiting;
    completions = adapter.receiveCompletions();
    queue = adapter.receiveQueue();
    batch = new WorkCompletions(adapter.arena(), BATCH);
    events = new EventPoll(List.of(adapter.receiveChannel()), null);
    thread = TransportThreads.create(transport.config(), name, this);
  }

  Thread thread() {
    return thread;
  }

  /** The peer of a link is gone: tells the link when all that has arrived was handed over. */
  void check(IbLink link) {
    checks.add(link);
    wake();
  }

  /** Lets the thread end; any thread. */
  void shutdown() {
    ended = true;
    wake();
  }

  private void wake() {
    if (asleep) { // pairs with the write in sleep()
      events.wakeup();
    }
  }

  @Override
  public void run() {
    try {
      while (!ended) {
        doWork();
      }
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "receiving failed; all links are closed", e);
      transport.register().failAll(e);
    }
  }

  private void doWork() {
    Thread.interrupted(); // left behind by a handler
    takeChecks();
    int count = completions.poll(batch);
    queue.refill();
    if (count > 0) {
      accept(count);
      waiting.found();
    } else if (!gone.isEmpty()) { // what they had sent was in the queue before they were gone
      gone.forEach(IbLink::gone);
      gone.clear();
    } else if (!waiting.looksAgain()) {
      sleep();
    }
  }

  private void takeChecks() {
    for (@Nullable IbLink link = checks.poll(); link != null; link = checks.poll()) {
      gone.add(link);
    }
  }

  private void accept(int count) {
    for (int i = 0; i < count; i++) {
      int request = (int) batch.id(i);
      try {
        accept(i, request);
      } finally {
        queue.release(request);
      }
    }
  }

  private void accept(int i, int request) {
    if (!batch.isSuccess(i)) {
      transport.failQueuePair(batch.queuePair(i), WorkStatus.describe(batch.status(i)));
      return;
    }
    int immediate = batch.immediate(i);
    IbLink link = transport.links().get(Immediate.linkNumber(immediate));
    Channel channel = link == null ? null : link.channel();
    if (link != null && channel != null && isOf(channel, i)) {
      link.received(queue, request, batch.length(i), Immediate.kind(immediate));
    } // else the link has ended meanwhile
  }

  /** Whether a completion is of this queue pair, and not of one that had the number before. */
  private boolean isOf(Channel channel, int i) {
    return batch.hasImmediate(i) && channel.queuePair().number() == batch.queuePair(i);
  }

  private void sleep() {
    notifications.lazySet(notifications.get() + 1);
    completions.requestNotify(false);
    asleep = true; // volatile; pairs with the read in wake()
    int count = completions.poll(batch);
    if (count == 0 && checks.isEmpty() && !ended) {
      boolean _ = events.await(-1);
      adapter.receiveChannel().drain();
    }
    asleep = false;
    if (count > 0) {
      accept(count);
      waiting.found();
    }
  }

  /** Events asked for. */
  long notifications() {
    return notifications.get();
  }

  /** What was polled. */
  WorkCompletions polled() {
    return batch;
  }

  /** After the thread has ended. */
  void close() {
    events.close();
  }
}
