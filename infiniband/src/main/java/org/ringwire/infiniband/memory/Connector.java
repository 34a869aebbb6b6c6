package org.ringwire.infiniband.memory;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.HeapRetry;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.library.VerbsException;

/**
 * Makes queue pairs to one other node, one at a time: asks the node, then makes this end ready for
 * its end. For that the device may look for an address, for a second if nobody answers, which
 * happens on one of {@link NodeMemory#setUps}, and without the lock: who has operations on the
 * node, and the thread that takes the completions of all nodes, go on meanwhile. From then until
 * the end of it the queue pair is that thread's.
 *
 * <p>A queue pair that does not become ready is known until it is closed: where the device or want
 * of heap keeps it from that, the next attempt or {@link #close} goes on with it.
 *
 * <p>Guarded by the lock of the {@link Initiator}, which has it when it calls, and when it is
 * called.
 */
final class Connector {

  /** What comes of it. */
  interface User {
    /** A queue pair is ready, and the user's. */
    void connected(RcQueuePair pair, long life);

    /** There is none. */
    void failed(@Nullable Throwable why);

    /** Nothing is in use any more, which was not so when {@link Connector#close} returned. */
    void released();
  }

  private final NodeMemory owner;
  private final int peer;
  private final ReentrantLock lock;
  private final User user;
  private @Nullable RcQueuePair pending;
  private boolean resolving; // pending is another thread's
  private boolean over; // pending does not become ready, and is not closed yet
  private boolean closed;
  private final Runnable releasing = this::release; // made before, as there may be no heap

  Connector(NodeMemory owner, int peer, ReentrantLock lock, User user) {
    this.owner = owner;
    this.peer = peer;
    this.lock = lock;
    this.user = user;
  }

  /** Whether a queue pair is being made. */
  boolean isUnderWay() {
    return pending != null && !over;
  }

  /** Begins to make a queue pair, unless one is being made. */
  void begin(CompletionQueue completions) {
    if (isUnderWay()) {
      return;
    }
    endLast();
    try {
      RcQueuePair made = owner.device().createInitiator(completions, owner.config().requests());
      pending = made;
      QueueEnd end = owner.device().end(made);
      CompletableFuture<Admission> _ =
          owner
              .knock(peer, end)
              .whenComplete((admission, why) -> answered(made, end, admission, why));
    } catch (RuntimeException | OutOfMemoryError e) {
      fail(e);
    }
  }

  /** What another attempt has left behind. */
  private void endLast() {
    try {
      endPending();
    } catch (VerbsException e) { // nor will it end at the next attempt
      owner.log("a queue pair stays open", e);
      pending = null;
      over = false;
    }
  }

  private void endPending() {
    RcQueuePair last = pending;
    if (last != null) {
      last.close();
      pending = null; // after it: what keeps it from that may not last
    }
    over = false;
  }

  /** There is none; who waits for it is told, whatever becomes of what was made. */
  private void fail(@Nullable Throwable why) {
    over = true;
    try {
      endPending();
    } catch (VerbsException | OutOfMemoryError e) {
      owner.log("a queue pair is closed later", e);
    }
    user.failed(why);
  }

  /** The node has answered, or nobody. */
  private void answered(
      RcQueuePair made, QueueEnd end, @Nullable Admission admission, @Nullable Throwable why) {
    Throwable failure = why;
    if (admission != null) {
      try {
        owner.setUps().run(true, "node " + peer, () -> makeReady(made, end, admission));
        return;
      } catch (RuntimeException | OutOfMemoryError e) { // no thread
        failure = e;
      }
    }
    lock.lock();
    try {
      if (pending == made && !over) { // else closed meanwhile
        fail(failure);
      }
    } finally {
      lock.unlock();
    }
  }

  private void makeReady(RcQueuePair made, QueueEnd end, Admission admission) {
    if (!isTaken(made)) {
      return; // closed meanwhile
    }
    Throwable why = null;
    try {
      owner.device().connect(made, end, admission.end());
    } catch (Throwable e) { // whatever it is, others wait for the outcome
      why = e;
    }
    if (!isConcluded(made, admission, why)) {
      HeapRetry.run(this, releasing); // nobody else will
    }
  }

  /** False if it was closed meanwhile. */
  private boolean isConcluded(RcQueuePair made, Admission admission, @Nullable Throwable why) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      resolving = false;
      if (why != null) {
        fail(why);
      } else {
        pending = null;
        user.connected(made, admission.life());
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** After {@link #close}, which has left it; may be called again. */
  private void release() {
    lock.lock();
    try {
      endPending();
      user.released();
      resolving = false;
    } finally {
      lock.unlock();
    }
  }

  private boolean isTaken(RcQueuePair made) {
    lock.lock();
    try {
      resolving = pending == made && !over;
      return resolving;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes none any more, may be called again; whether nothing is in use: else {@link User#released}
   * follows.
   */
  boolean close() {
    closed = true;
    if (resolving) {
      return false;
    }
    endPending();
    return true;
  }
}
