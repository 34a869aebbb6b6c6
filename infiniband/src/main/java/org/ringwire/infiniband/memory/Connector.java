package org.ringwire.infiniband.memory;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.RcQueuePair;

/**
 * Makes queue pairs to one other node, one at a time: asks the node, then makes this end ready for
 * its end. For that the device may look for an address, for a second if nobody answers, which
 * happens on one of {@link NodeMemory#setUps}, and without the lock: who has operations on the
 * node, and the thread that takes the completions of all nodes, go on meanwhile. From then until
 * the end of it the queue pair is that thread's.
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
  private boolean closed;

  Connector(NodeMemory owner, int peer, ReentrantLock lock, User user) {
    this.owner = owner;
    this.peer = peer;
    this.lock = lock;
    this.user = user;
  }

  /** Whether a queue pair is being made. */
  boolean isUnderWay() {
    return pending != null;
  }

  /** Begins to make a queue pair, unless one is being made. */
  void begin(CompletionQueue completions) {
    if (pending != null) {
      return;
    }
    RcQueuePair made = null;
    try {
      made = owner.device().createInitiator(completions, owner.config().requests());
      pending = made;
      RcQueuePair asking = made;
      QueueEnd end = owner.device().end(made);
      CompletableFuture<Admission> _ =
          owner
              .knock(peer, end)
              .whenComplete((admission, why) -> answered(asking, end, admission, why));
    } catch (RuntimeException | OutOfMemoryError e) {
      pending = null;
      if (made != null) {
        made.close();
      }
      user.failed(e);
    }
  }

  /** The node has answered, or nobody. */
  private void answered(
      RcQueuePair made, QueueEnd end, @Nullable Admission admission, @Nullable Throwable why) {
    Throwable failure = why;
    if (admission != null) {
      try {
        owner.setUps().run(true, () -> makeReady(made, end, admission));
        return;
      } catch (RuntimeException | OutOfMemoryError e) { // no thread
        failure = e;
      }
    }
    lock.lock();
    try {
      if (pending == made) { // else closed meanwhile
        pending = null;
        made.close();
        user.failed(failure);
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
    lock.lock();
    try {
      pending = null;
      resolving = false;
      if (closed) {
        made.close();
        user.released();
      } else if (why != null) {
        made.close();
        user.failed(why);
      } else {
        user.connected(made, admission.life());
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isTaken(RcQueuePair made) {
    lock.lock();
    try {
      resolving = pending == made;
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
    RcQueuePair connecting = pending;
    if (connecting != null) {
      connecting.close();
      pending = null; // after it: where there is no heap for it, the next call closes it
    }
    return true;
  }
}
