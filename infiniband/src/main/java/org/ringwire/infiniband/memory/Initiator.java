package org.ringwire.infiniband.memory;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.device.DeviceParts;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.RcQueuePair;
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
 *
 * <p><em>Without heap.</em> Operations end, and the device lets go of their memory, but for the
 * first calls of a process. What there was no heap for is left as it was, and the completion thread
 * goes on with it.
 */
final class Initiator implements AutoCloseable {

  private static final int MOST_AT_ONCE = 128;

  private final NodeMemory owner;
  private final int peer;
  private final DeviceParts parts = new DeviceParts();
  private final Outcomes outcomes;
  private final Poster poster;
  private final CompletionQueue completions;
  private final CompletionBatch batch;
  private final SpareOperations spare;
  private final ReentrantLock lock = new ReentrantLock(true); // the thread looks often

  // Guarded by the lock.
  private final Operations waiting = new Operations();
  private @Nullable RcQueuePair pair;
  private final Connector connector;
  private long life;
  private int generation; // counts queue pairs
  private boolean broke; // there was no heap to end the queue pair, which gets nothing any more
  private boolean closed;
  private boolean ended; // and let go of the device
  private boolean kept; // by the device, which has refused to end a queue pair
  private @Nullable VerbsException failure; // of the completion queue
  private @Nullable Throwable broken; // why it was closed, if nobody wanted it

  /** Not connected. */
  Initiator(NodeMemory owner, int peer) {
    this.owner = owner;
    this.peer = peer;
    outcomes = new Outcomes(owner, peer);
    connector = new Connector(owner, peer, lock, new Connected());
    int requests = owner.device().requests(owner.config().requests());
    spare = new SpareOperations(requests, lock, this::isRequestLeft);
    boolean made = false;
    try {
      NativeMemory.Scope scope = parts.add(NativeMemory.open("operations on node " + peer));
      poster = parts.add(new Poster(owner.device(), scope, requests, waiting, outcomes));
      completions = parts.add(owner.device().createCompletions(2 * requests));
      completions.requestNotify(false);
      batch = new CompletionBatch(completions, scope.arena());
      made = true;
    } finally {
      if (!made) {
        parts.close();
      }
    }
  }

  int peer() {
    return peer;
  }

  /** Where operations come from, and go to when nobody looks at them any more. */
  SpareOperations spare() {
    return spare;
  }

  /** Begins an operation, which ends in any case; needs no heap. */
  void submit(Operation operation) {
    if (!isSubmitted(operation)) {
      // without the lock: may be told of here
      outcomes.fail(operation, Reason.CLOSED, Outcomes.NOTHING_MORE, broken);
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
      goOn();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends an operation whose time is over, unless it has ended, whatever that takes.
   *
   * @throws OutOfMemoryError if the device may still use its memory, and it has not ended: what is
   *     called for the first time needs heap; may be called again
   */
  void abandon(Operation operation) {
    if (operation.hasEnded()) {
      return;
    }
    lock.lock();
    try {
      if (!operation.hasEnded() && !operation.isAtRest()) {
        interrupt();
        disconnect();
        giveUp(operation);
        breakDown("another operation was given up", null);
        goOn();
      } else {
        giveUp(operation);
      }
    } finally {
      lock.unlock();
    }
  }

  private void giveUp(Operation operation) {
    if (!operation.hasEnded()) { // all that was posted may have landed just now, but not the rest
      waiting.remove(operation);
      outcomes.fail(operation, Reason.DEADLINE, Outcomes.NOTHING_MORE, null);
    }
  }

  // Who polls.

  /**
   * Takes completions, unless somebody else is busy here; whether there were some. What there is no
   * heap for, or what the device fails at, concerns others, too, and is left to the completion
   * thread: who waits hears of it by the end of the operation.
   */
  boolean tryPoll() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return pollAndGoOn();
    } catch (VerbsException e) {
      queueFailed(e);
      return false;
    } catch (OutOfMemoryError e) {
      owner.wake();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #tryPoll}, after whoever else is busy here. */
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
      return !poster.flights().isEmpty() || isStuck();
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

  /** What the queue had may be lost, of others, too: the thread is to find that. */
  private void queueFailed(VerbsException why) {
    failure = why;
    owner.wake();
  }

  private boolean pollAndGoOn() {
    VerbsException found = failure;
    if (found != null && !closed) {
      throw found;
    }
    if (closed || (!takeCompletions() && !isStuck())) {
      return false;
    }
    advance();
    return true;
  }

  /** Whether something waits, or is under way, and nothing comes for it: no heap, or no stack. */
  private boolean isStuck() {
    return poster.flights().isEmpty()
        ? !waiting.isEmpty() && !connector.isUnderWay()
        : isBroken() || poster.hasChain();
  }

  /** Whether what is under way will not be completed, but for what is about to be taken. */
  private boolean isBroken() {
    return pair == null || broke;
  }

  private boolean isRequestLeft() {
    return isBroken() && !poster.flights().isEmpty();
  }

  private boolean takeCompletions() {
    boolean any = batch.hasNext();
    boolean more = any;
    for (int left = MOST_AT_ONCE; left > 0 && more; left--) {
      accept(batch.id(), batch.status());
      more = batch.next();
    }
    return any;
  }

  private void accept(long id, int status) {
    long number = poster.find(id, generation);
    if (number < 0) {
      return;
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
        outcomes.end(operation);
      }
    }
  }

  private void failed(Operation culprit, int status) {
    String what = WorkStatus.describe(status);
    if (status != WorkStatus.REM_ACCESS_ERR && status != WorkStatus.REM_INV_REQ_ERR) {
      breakDown(what, null);
      return;
    }
    culprit.region().end(Reason.REFUSED);
    disconnect();
    poster.takeBack();
    waiting.remove(culprit);
    outcomes.fail(culprit, Reason.REFUSED, what, null);
  }

  /** The way is broken: ends what was under way, of which nothing is known. */
  private void breakDown(String what, @Nullable Throwable cause) {
    broke = pair != null;
    disconnect();
    while (!poster.flights().isEmpty()) {
      Operation operation = poster.dropFirst();
      if (!operation.hasEnded()) {
        waiting.remove(operation); // the rest of it
        outcomes.fail(operation, Reason.UNCERTAIN, what, cause);
      }
    }
  }

  /** Takes everything from the device, but for what it has completed by now. */
  private void interrupt() {
    RcQueuePair current = pair;
    if (current != null) {
      broke = true;
      try {
        current.toError();
        takeWhatIsCompleted();
      } catch (Throwable e) { // for want of heap, too; it is destroyed next
        owner.log("no error state", e);
      }
    }
  }

  private void takeWhatIsCompleted() {
    try {
      takeGoodCompletions();
    } catch (VerbsException e) {
      if (!closed) { // else all ends anyway
        queueFailed(e);
      }
    }
  }

  /** As {@link #takeCompletions}, up to the first that failed. */
  private void takeGoodCompletions() {
    while (!poster.flights().isEmpty()
        && batch.hasNext()
        && (batch.isSuccess() || poster.find(batch.id(), generation) < 0)) {
      accept(batch.id(), batch.status());
      boolean _ = batch.next();
    }
  }

  /**
   * The queue pair is known for as long as it may live: the device uses memory until its end. One
   * that the device keeps is stopped, if the device does at least that, and costs nobody anything
   * but itself.
   */
  private void disconnect() {
    RcQueuePair current = pair;
    if (current != null) {
      try {
        current.close();
      } catch (VerbsException e) { // nor would it end at the next attempt
        kept = true;
        owner.log("a queue pair stays open", e);
        stop(current);
      }
      pair = null;
      broke = false;
    }
  }

  private void stop(RcQueuePair kept) {
    try {
      kept.toError();
    } catch (VerbsException e) {
      owner.log("no error state", e);
    }
  }

  /**
   * Goes as far as there is heap and stack for it, and as the device does what it is to; the
   * completion thread does the rest.
   */
  private void goOn() {
    try {
      advance();
    } catch (VerbsException | OutOfMemoryError | StackOverflowError e) {
      owner.wake();
    }
  }

  /** Goes as far as it can. */
  private void advance() {
    if (closed) {
      return; // what is left ends with the next close
    }
    if (isBroken()) { // before anything new is under way, which would seem to come after it
      breakDown("the way was broken", null);
    }
    poster.takeChainBack();
    while (!waiting.isEmpty() && !poster.isFull()) {
      RcQueuePair current = pair;
      if (current == null) {
        connector.begin(completions);
        return;
      }
      poster.gather(life, generation);
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

  /** Whether there may be room for more. */
  private boolean post(RcQueuePair current) {
    try {
      return poster.post(current);
    } catch (VerbsException | OutOfMemoryError | StackOverflowError e) {
      broke = true; // needs no stack
      breakDown("cannot post", e);
      return true;
    }
  }

  private final class Connected implements Connector.User {

    @Override
    public void connected(RcQueuePair made, long to) {
      life = to;
      generation++;
      pair = made;
      goOn();
    }

    @Override
    public void failed(@Nullable Throwable why) {
      outcomes.failAll(waiting, Reason.UNREACHABLE, why);
    }

    @Override
    public void released() {
      parts.close();
    }
  }

  @Override
  public void close() {
    close(null);
  }

  /**
   * Ends all operations and lets go of the device. Where there is no heap for that, operations
   * whose memory it may still use have not ended; the next call goes on.
   *
   * @param why nobody takes completions any more; null if the user wants it
   */
  void close(@Nullable Throwable why) {
    lock.lock();
    try {
      if (ended) {
        return;
      }
      broken = closed ? broken : why;
      closed = true;
      interrupt();
      endParts();
      ended = true;
    } finally {
      lock.unlock();
    }
  }

  /** The device keeps nothing that it cannot let go of the queue pair of. */
  private void endParts() {
    try {
      disconnect();
    } finally {
      if (pair == null) {
        poster.takeBack();
        outcomes.failAll(waiting, Reason.CLOSED, broken);
        if (connector.close() && !kept) {
          parts.close();
        }
      }
    }
  }
}
