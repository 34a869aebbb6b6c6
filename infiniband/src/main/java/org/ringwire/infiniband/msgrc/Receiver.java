package org.ringwire.infiniband.msgrc;

import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.infiniband.link.LostPeers;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.WorkStatus;

/**
 * Receives for all links (paper 003, listing 2): polls the completion queue, hands over what has
 * arrived, refills the shared receive queue. Who has the {@link ReceiveRole} only, but for {@link
 * #check} and the counters.
 *
 * <p>What was handed over is posted again when there is nothing more to hand over, or when much of
 * the queue is empty: so the answer to a request is on its way before the slices are.
 */
final class Receiver {

  private static final int BATCH = 32;

  private final IbTransport transport;
  private final CompletionQueue completions;
  private final ReceiveQueue queue;
  private final Adapter adapter;
  private final WorkCompletions batch;
  private final LostPeers lost = new LostPeers();
  private final AtomicLong notifications = new AtomicLong();

  Receiver(IbTransport transport, Adapter adapter) {
    this.transport = transport;
    this.adapter = adapter;
    completions = adapter.receiveCompletions();
    queue = adapter.receiveQueue();
    batch = new WorkCompletions(adapter.arena(), BATCH);
  }

  /** The peer of a link is gone: the link hears of it when all that has arrived was handed over. */
  void check(IbLink link) {
    lost.add(link);
  }

  /** Whether {@link #check} has left something. */
  boolean hasChecks() {
    return lost.hasNews();
  }

  /**
   * Receives what is there, up to a limit; never waits.
   *
   * @return how many requests
   */
  int receive() {
    lost.take();
    int count = completions.poll(batch);
    if (count > 0) {
      accept(count);
      queue.refillIfLow();
    } else {
      queue.refill();
      lost.tell();
    }
    return count;
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

  /** Asks for an event at the next completion; {@link #receive} follows. */
  void requestNotify() {
    notifications.lazySet(notifications.get() + 1);
    completions.requestNotify(false);
  }

  /** Takes the events that have come. */
  void takeEvents() {
    adapter.receiveChannel().drain();
  }

  /** Events asked for. */
  long notifications() {
    return notifications.get();
  }

  /** What was polled. */
  WorkCompletions polled() {
    return batch;
  }
}
