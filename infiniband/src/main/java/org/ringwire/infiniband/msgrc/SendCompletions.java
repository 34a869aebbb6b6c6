package org.ringwire.infiniband.msgrc;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.idle.Pause;
import org.ringwire.infiniband.link.LinkRegister;
import org.ringwire.infiniband.link.LinkTable;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.library.VerbsException;

/**
 * The completions of all links' requests, from one queue, in batches; the queue is not even looked
 * at when none is outstanding (Ibdxnet paper, section IV-B). Any thread may poll, one at a time:
 * the send thread, and writers that are short of room.
 */
final class SendCompletions {

  private static final int BATCH = 32;
  private static final int MOST_BATCHES = 8;

  private final CompletionQueue queue;
  private final CompletionBudget budget;
  private final LinkTable<IbLink> links;
  private final LinkRegister<IbLink> register;
  private final WorkCompletions batch;
  private final AtomicBoolean polling = new AtomicBoolean();
  private final AtomicLong notifications = new AtomicLong();

  SendCompletions(
      CompletionQueue queue,
      CompletionBudget budget,
      LinkTable<IbLink> links,
      LinkRegister<IbLink> register,
      Arena arena) {
    this.queue = queue;
    this.budget = budget;
    this.links = links;
    this.register = register;
    batch = new WorkCompletions(arena, BATCH);
  }

  /**
   * Takes what is there, unless somebody else is doing so. Never waits.
   *
   * @return whether there was something
   */
  boolean tryPoll() {
    if (budget.isWhole() || !polling.compareAndSet(false, true)) {
      return false;
    }
    try {
      return poll();
    } finally {
      polling.set(false);
    }
  }

  /** As {@link #tryPoll}, after whoever else is doing so: by who will look no more for a while. */
  boolean pollSurely() {
    for (int round = 0; !polling.compareAndSet(false, true); round++) {
      Pause.colliding(round);
    }
    try {
      return poll();
    } finally {
      polling.set(false);
    }
  }

  private boolean poll() {
    int count = take();
    boolean any = count > 0;
    for (int round = 1; count > 0; round++) {
      for (int i = 0; i < count; i++) {
        accept(i);
      }
      count = count == batch.capacity() && round < MOST_BATCHES ? take() : 0;
    }
    return any;
  }

  /** A queue that fails may have lost what was in it, of any link: whoever polls, all end. */
  private int take() {
    try {
      return queue.poll(batch);
    } catch (VerbsException e) {
      register.fail(e);
      throw e;
    }
  }

  private void accept(int i) {
    long id = batch.id(i);
    IbLink link = links.get((int) (id >>> Integer.SIZE));
    if (link != null) {
      try {
        link.requestEnded((int) id, batch.status(i), batch.vendorError(i));
      } catch (Throwable e) { // of the source: its own link only
        link.life().fail(e);
      }
    }
  }

  /** Asks for an event at the next completion; {@link #pollSurely} follows. */
  void requestNotify() {
    notifications.lazySet(notifications.get() + 1);
    queue.requestNotify(false);
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
