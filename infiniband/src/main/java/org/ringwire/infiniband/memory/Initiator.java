package org.ringwire.infiniband.memory;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.device.DeviceParts;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.WorkStatus;
import org.ringwire.ring.NativeMemory;

/**
 * The operations of this node on memory of one other, and the queue pair that carries them: made
 * when there is something to post, given up when an operation fails on it, made anew for the next.
 * Any thread; one lock guards everything, and nobody waits while holding it.
 *
 * <p><em>What a failure costs.</em> If the owner refuses an operation, its queue pair carries out
 * nothing that was posted behind it: a responder that has refused is in its error state. What was
 * before it has landed, since a queue pair completes in order. So the others are posted again, on
 * the next queue pair, and end as if nothing had been. After any other failure nobody knows how far
 * the owner has come: what was under way ends as uncertain.
 *
 * <p><em>Memory.</em> An operation ends when the device has completed its requests, or after the
 * queue pair was destroyed, which takes them from the device. Completions of a queue pair that is
 * gone are known by the generation in their id.
 */
final class Initiator implements AutoCloseable {

  private static final int BATCH = 16;
  private static final int MOST_ROUNDS = 8;

  private final NodeMemory owner;
  private final int peer;
  private final DeviceParts parts = new DeviceParts();
  private final Poster poster;
  private final CompletionQueue completions;
  private final WorkCompletions batch;
  private final ReentrantLock lock = new ReentrantLock(true); // the thread looks often

  // Guarded by the lock.
  private final Deque<Operation> waiting = new ConcurrentLinkedDeque<>();
  private final Deque<Operation> undone =
      new ConcurrentLinkedDeque<>(); // whose end was not told yet
  private final List<Operation> unused = new ArrayList<>();
  private @Nullable RcQueuePair pair;
  private final Connector connector;
  private long life;
  private int generation; // counts queue pairs
  private boolean closed;
  private @Nullable Throwable broken; // why it was closed, if nobody wanted it

  /** Not connected. */
  Initiator(NodeMemory owner, int peer) {
    this.owner = owner;
    this.peer = peer;
    connector = new Connector(owner, peer, lock, new Connected());
    int requests = owner.config().requests();
    boolean made = false;
    try {
      NativeMemory.Scope scope = parts.add(NativeMemory.open("operations on node " + peer));
      poster = parts.add(new Poster(owner.device(), scope, requests));
      completions = parts.add(owner.device().createCompletions(2 * requests));
      completions.requestNotify(false);
      batch = new WorkCompletions(scope.arena(), BATCH);
      made = true;
    } finally {
      if (!made) {
        parts.close();
      }
    }
  }

  // Who has an operation.

  /** One that may be begun. */
  Operation take() {
    lock.lock();
    try {
      return unused.isEmpty() ? new Operation() : unused.removeLast();
    } finally {
      lock.unlock();
    }
  }

  /** One that has ended, and nobody looks at any more. */
  void give(Operation operation) {
    lock.lock();
    try {
      if (unused.size() < owner.config().requests()) {
        unused.add(operation);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Begins an operation, which ends in any case. */
  void submit(Operation operation) {
    if (!isSubmitted(operation)) {
      end(operation, closedHere()); // without the lock: it may be told of here
    }
  }

  private boolean isSubmitted(Operation operation) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      operation.submittedAt(connector.isUnderWay() ? generation + 1 : generation);
      waiting.add(operation);
      advance();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends an operation whose time is over, whatever that takes. */
  void abandon(Operation operation) {
    lock.lock();
    try {
      if (operation.hasEnded()) {
        return;
      }
      RemoteMemoryException why =
          failure(Reason.DEADLINE, "the time is over, it may have been carried out", null);
      if (operation.isAtRest()) {
        waiting.remove(operation);
        end(operation, why);
        return;
      }
      interrupt();
      disconnect();
      waiting.remove(operation); // all that was posted may have landed just now, but not the rest
      if (!operation.hasEnded()) {
        end(operation, why);
      }
      breakDown("another operation was given up");
      advance();
    } finally {
      lock.unlock();
    }
  }

  // Who polls.

  /** Takes completions, unless somebody else is busy here; whether there were some. */
  boolean tryPoll() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return pollAndGoOn();
    } finally {
      lock.unlock();
    }
  }

  /** Takes completions, after whoever else is busy here; whether there were some. */
  boolean poll() {
    lock.lock();
    try {
      return pollAndGoOn();
    } finally {
      lock.unlock();
    }
  }

  /** Whether something is under way. */
  boolean isBusy() {
    lock.lock();
    try {
      return !poster.flights().isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Asks for an event at the next completion; {@link #poll} follows. */
  void arm() {
    lock.lock();
    try {
      if (!closed) {
        completions.requestNotify(false);
      }
    } finally {
      lock.unlock();
    }
  }

  // All below: with the lock.

  private boolean pollAndGoOn() {
    if (closed || !takeCompletions()) {
      return false;
    }
    advance();
    return true;
  }

  private boolean takeCompletions() {
    boolean any = false;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      int count = completions.poll(batch);
      for (int i = 0; i < count; i++) {
        accept(batch.id(i), batch.status(i));
      }
      any |= count > 0;
      if (count < batch.capacity()) {
        return any;
      }
    }
    return any;
  }

  private void accept(long id, int status) {
    long number = (int) (id >>> Integer.SIZE) == generation ? poster.flights().find((int) id) : -1;
    if (number < 0) {
      return; // of a queue pair that is gone
    }
    boolean good = status == WorkStatus.SUCCESS;
    land(good ? number : number - 1);
    if (!good) {
      failed(poster.flights().operation(number), status);
    }
  }

  private void land(long last) {
    while (poster.flights().first() <= last) {
      Operation operation = poster.landFirst();
      if (operation.isComplete()) {
        end(operation, null);
      }
    }
  }

  private void failed(Operation culprit, int status) {
    String what = WorkStatus.describe(status);
    if (status != WorkStatus.REM_ACCESS_ERR && status != WorkStatus.REM_INV_REQ_ERR) {
      breakDown(what);
      return;
    }
    culprit.region().end(Reason.REFUSED);
    poster.takeBack(waiting);
    disconnect();
    waiting.remove(culprit);
    end(culprit, refused(what));
  }

  /** The way is broken: ends what was under way, of which nothing is known. */
  private void breakDown(String what) {
    disconnect();
    poster.takeBack(undone);
    while (!undone.isEmpty()) {
      Operation operation = undone.element();
      waiting.remove(operation);
      if (!operation.hasEnded()) {
        end(operation, failure(Reason.UNCERTAIN, what + ", it may have been carried out", null));
      }
      undone.remove(operation); // last: where there is no heap to end it, that is done later
    }
  }

  /** Before anything new is under way, which would seem to come after what is left of the old. */
  private void resumeBreakDown() {
    if (!undone.isEmpty() || (pair == null && !poster.flights().isEmpty())) {
      breakDown("the way was broken");
    }
  }

  /** Takes everything from the device, but for what it has completed by now. */
  private void interrupt() {
    RcQueuePair current = pair;
    if (current != null) {
      try {
        current.toError();
        takeGoodCompletions();
      } catch (VerbsException e) {
        owner.log("no error state", e); // it is destroyed next
      }
    }
  }

  /** As {@link #takeCompletions}, up to the first that failed. */
  private void takeGoodCompletions() {
    while (!poster.flights().isEmpty()) {
      int count = completions.poll(batch);
      for (int i = 0; i < count; i++) {
        if (!batch.isSuccess(i)) {
          return;
        }
        accept(batch.id(i), WorkStatus.SUCCESS);
      }
      if (count == 0) {
        return;
      }
    }
  }

  private void disconnect() {
    RcQueuePair current = pair;
    pair = null;
    if (current != null) {
      current.close();
    }
  }

  /** Goes as far as it can. */
  private void advance() {
    resumeBreakDown();
    while (!waiting.isEmpty() && !poster.isFull()) {
      RcQueuePair current = pair;
      if (current == null) {
        connector.begin(completions);
        return;
      }
      gather();
      if (!poster.isEmpty()) {
        if (!post(current)) {
          return;
        }
      } else if (waiting.isEmpty() || !poster.flights().isEmpty()) {
        return;
      } else { // the first is outdated: perhaps the node has another life by now
        disconnect();
      }
    }
  }

  /** Makes a chain of what waits. */
  private void gather() {
    poster.begin(generation);
    while (poster.hasRoom()) {
      Operation operation = waiting.peek();
      if (operation == null || isOutdated(operation)) {
        return;
      }
      RemoteMemoryException why = refusal(operation.region());
      if (why != null && operation.isAtRest()) {
        waiting.remove();
        end(operation, why);
      } else {
        addPiece(operation);
        if (operation.unposted() == 0) {
          waiting.remove();
        }
      }
    }
  }

  /** Whether the queue pair leads to another life, and was asked for before the operation. */
  private boolean isOutdated(@Nullable Operation operation) {
    return operation != null
        && operation.isAtRest()
        && operation.region().descriptor().life() != life
        && operation.submittedAt() == generation
        && operation.region().end() == null;
  }

  private void addPiece(Operation operation) {
    try {
      poster.addPiece(operation);
    } catch (RuntimeException e) { // memory that is gone, for instance
      operation.cut(e);
      if (operation.isAtRest()) {
        end(operation, e);
      }
    }
  }

  private @Nullable RemoteMemoryException refusal(Region region) {
    if (region.end() == null && region.descriptor().life() != life) {
      region.end(Reason.STALE);
    }
    if (region.end() == Reason.STALE) {
      return failure(Reason.STALE, "the descriptor is of another life of the node", null);
    }
    return region.end() == null ? null : refused("an operation was refused before");
  }

  /** Whether there may be room for more. */
  private boolean post(RcQueuePair current) {
    try {
      return poster.post(current, waiting);
    } catch (VerbsException e) {
      breakDown("cannot post: " + e.getMessage());
      return true;
    }
  }

  /** What comes of connecting. */
  private final class Connected implements Connector.User {

    @Override
    public void connected(RcQueuePair made, long to) {
      life = to;
      generation++;
      pair = made;
      advance();
    }

    @Override
    public void failed(@Nullable Throwable why) {
      endAll(unreachable(why));
    }

    @Override
    public void released() {
      parts.close();
    }
  }

  private void endAll(RemoteMemoryException why) {
    for (Operation operation = waiting.poll(); operation != null; operation = waiting.poll()) {
      end(operation, why);
    }
  }

  private void end(Operation operation, @Nullable RuntimeException why) {
    try {
      owner.release(operation);
    } catch (RuntimeException | OutOfMemoryError e) { // who waits for it must not wait for ever
      owner.log("memory of an operation stays registered", e);
    }
    operation.end(why);
    if (operation.hasFuture()) {
      owner.endings().tell(operation);
    }
  }

  private RemoteMemoryException refused(String what) {
    return failure(Reason.REFUSED, "the owner does not allow it, it was revoked: " + what, null);
  }

  private RemoteMemoryException unreachable(@Nullable Throwable why) {
    String what = why == null ? "" : ": " + why.getMessage();
    return failure(Reason.UNREACHABLE, "no queue pair to it" + what, why);
  }

  private RemoteMemoryException closedHere() {
    Throwable why = broken;
    return why == null
        ? failure(Reason.CLOSED, "the remote memory of this node was closed", null)
        : failure(Reason.CLOSED, "the remote memory of this node has failed: " + why, why);
  }

  private RemoteMemoryException failure(Reason reason, String what, @Nullable Throwable cause) {
    return new RemoteMemoryException(reason, "memory of node " + peer + ": " + what, cause);
  }

  /** Ends all operations and lets go of the device. */
  @Override
  public void close() {
    close(null);
  }

  /**
   * The same.
   *
   * @param why nobody takes completions any more; null if the user wants it
   */
  void close(@Nullable Throwable why) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      broken = why;
      interrupt();
      closed = true;
      disconnect();
      poster.takeBack(waiting);
      endAll(closedHere());
      if (connector.close()) {
        parts.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
