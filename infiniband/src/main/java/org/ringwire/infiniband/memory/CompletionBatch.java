package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.WorkCompletions;

/**
 * The completions of a queue, one after the other; the queue is polled again when all that it has
 * given were accepted. So none is lost where there is no heap to accept it: it is the next one
 * again. Guarded by the lock of the {@link Initiator}.
 */
final class CompletionBatch {

  private static final int CAPACITY = 16;

  private final CompletionQueue queue;
  private final WorkCompletions batch;
  private int count;
  private int accepted;

  CompletionBatch(CompletionQueue queue, Arena arena) {
    this.queue = queue;
    batch = new WorkCompletions(arena, CAPACITY);
  }

  /** Whether there is one. */
  boolean hasNext() {
    if (accepted == count) {
      accepted = 0;
      count = 0;
      count = queue.poll(batch);
    }
    return accepted < count;
  }

  long id() {
    return batch.id(accepted);
  }

  int status() {
    return batch.status(accepted);
  }

  boolean isSuccess() {
    return batch.isSuccess(accepted);
  }

  /** This one was accepted; whether there is another. Behind a batch that was not full is none. */
  boolean next() {
    accepted++;
    return accepted < count || (count == CAPACITY && hasNext());
  }
}
