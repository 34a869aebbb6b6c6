package org.ringwire.infiniband.msgrc;

import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.infiniband.link.AfterInput;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.WorkCompletions;

/**
 * Receives for all links (Ibdxnet paper, listing 2): polls the completion queue, hands over what
 * has arrived, refills the shared receive queue. Who has the {@link ReceiveRole} only, but for
 * {@link #after} and the counters.
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
  private final AfterInput after;
  private final AtomicLong notifications = new AtomicLong();
  private int count; // completions in the batch
  private int accepted; // of these

  Receiver(IbTransport transport, Adapter adapter) {
    this.transport = transport;
    this.adapter = adapter;
    completions = adapter.receiveCompletions();
    queue = adapter.receiveQueue();
    batch = new WorkCompletions(adapter.arena(), BATCH);
    after = new AfterInput(queue.requests() + BATCH);
  }

  /** Tells something when all that has arrived until now was handed over; any thread. */
  void after(Runnable step) {
    after.add(step);
  }

  /** Whether {@link #after} has left something. */
  boolean hasNews() {
    return after.hasNews();
  }

  /**
   * Receives what is there, up to a limit; never waits.
   *
   * @return how many requests
   */
  int receive() {
    after.take();
    int found = find();
    if (found > 0) {
      accept();
      queue.refillIfLow();
    } else {
      queue.refill();
    }
    after.handedOver(found);
    return found;
  }

  /** Polls, if the last batch was accepted to its end; there may have been no heap for that. */
  private int find() {
    if (accepted == count) {
      accepted = 0;
      count = 0;
      count = completions.poll(batch);
    }
    return count - accepted;
  }

  private void accept() {
    while (accepted < count) {
      int request = (int) batch.id(accepted);
      boolean again = false;
      try {
        accept(accepted, request);
      } catch (OutOfMemoryError e) {
        again = true; // it was not handed over: who handles it fails for itself
        throw e;
      } finally {
        if (!again) {
          queue.release(request);
          accepted++;
        }
      }
    }
  }

  private void accept(int i, int request) {
    if (!batch.isSuccess(i)) {
      transport.requestFailed(batch.queuePair(i), batch.status(i));
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
