package org.ringwire.engine.request;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.RequestTimeoutException;

/**
 * The requests of a node that have no answer yet: a table of slots, indexed by correlation id.
 *
 * <p>Ids are 63-bit, begin again after 2^63 by the table's size requests of a slot, and are
 * otherwise never reused, so that a late response cannot match a newer request; the slot of an id
 * is its remainder by the table's size. A thread that waits takes the same slot again and again if
 * it can, so that neither the slot comes from far nor do threads meet at a counter; all others take
 * one slot after the other. Any thread may call any method; see {@link PendingRequest} for why each
 * request ends exactly once.
 *
 * <p>A {@link Respondent} has no more slots than it leaves to others: so one that does not answer
 * takes half of them, and there are still some for those that do.
 */
@SuppressWarnings("ReferenceEquality") // a connection is asked for itself
public final class PendingRequests {

  private final AtomicReferenceArray<PendingRequest> slots;
  private final int mask;
  private final int share; // of one that has all to itself
  private final long firstId;
  private final AtomicInteger next = new AtomicInteger(); // the slot to try, unless a thread's own
  private final AtomicInteger outstanding = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger(); // without a slot
  private final LongAdder lateResponses = new LongAdder();
  private final Executor completions;
  private final SweepSchedule sweep = new SweepSchedule();

  /**
   * An empty table.
   *
   * @param capacity number of slots, a power of two
   * @param firstId the first id, at least 1; tests start just below the boundaries
   * @param completions runs what users attached to futures
   */
  public PendingRequests(int capacity, long firstId, Executor completions) {
    slots = new AtomicReferenceArray<>(capacity);
    mask = capacity - 1;
    share = capacity / 2;
    this.firstId = firstId;
    this.completions = completions;
  }

  /** As below, for a request of which nothing else is known than that it is sent. */
  public long open(
      Object connection,
      Class<?> responseType,
      long deadlineNs,
      @Nullable Thread waiter,
      @Nullable CompletableFuture<Object> future) {
    long id = open(connection, Object.class, responseType, null, deadlineNs, waiter, future);
    accepted(id);
    return id;
  }

  /**
   * Takes a slot for a request that a thread will wait for, or whose future will be completed. Who
   * sends one with a future says {@link #accepted}, or ends or withdraws it.
   *
   * @param messageType what is asked with, and
   * @param timeout for how long, are for who is told that there was no answer
   * @return the id, or 0 if the table is full, or this connection has as much of it as it may
   */
  public long open(
      Object connection,
      Class<?> messageType,
      Class<?> responseType,
      @Nullable Duration timeout,
      long deadlineNs,
      @Nullable Thread waiter,
      @Nullable CompletableFuture<Object> future) {
    int taken = outstanding.get();
    if (taken >= slots.length() || (taken >= share && leavesTooFew(connection, waiter, taken))) {
      return 0;
    }
    PendingRequest slot = reserve(waiter);
    if (slot == null) {
      return 0;
    }
    slot.connection = connection;
    slot.responseType = responseType;
    slot.messageType = messageType;
    slot.timeout = timeout;
    slot.deadlineNs = deadlineNs;
    slot.waiter = waiter;
    slot.future = future;
    slot.begin();
    boolean published = false;
    outstanding.incrementAndGet(); // before it may be ended: none that is in the table is missing
    try {
      if (future != null && connection instanceof Respondent respondent) {
        slot.count(respondent.crowd());
      }
      long id = slot.takeId(slots.length());
      slot.publish(id);
      published = true;
      if (future != null) {
        sweep.lookUntil(deadlineNs);
      }
      return id;
    } finally {
      if (!published) { // there may be no stack
        outstanding.decrementAndGet();
      }
    }
  }

  /** A request with a future was accepted for sending: the sweep watches its deadline alone now. */
  public void accepted(long id) {
    PendingRequest slot = slot(id);
    if (slot.id() == id) { // else it has ended
      slot.accepted();
    }
  }

  private boolean leavesTooFew(Object connection, @Nullable Thread waiter, int taken) {
    if (!(connection instanceof Respondent respondent)) {
      return false;
    }
    int own = respondent.crowd().requests() - (waiter == null ? 0 : 1); // it is one of them already
    return own >= slots.length() - taken;
  }

  /**
   * Counts a request that has no slot yet, as it waits for a connection; false if as many wait as
   * one respondent may have, or there are as many requests as the table has slots. Whoever has
   * counted one says {@link #endWaiting}.
   */
  public boolean tryWait() {
    int others;
    do {
      others = waiting.get();
      if (others >= share || others + outstanding.get() >= slots.length()) {
        return false;
      }
    } while (!waiting.compareAndSet(others, others + 1));
    return true;
  }

  /** A request that was counted takes a slot now, or has failed. */
  public void endWaiting() {
    waiting.decrementAndGet();
  }

  private @Nullable PendingRequest reserve(@Nullable Thread waiter) {
    if (waiter != null) {
      PendingRequest own = slotAt((int) waiter.threadId() & mask);
      if (own.tryReserve()) {
        return own;
      }
    }
    for (int attempt = 0; attempt < slots.length(); attempt++) {
      PendingRequest slot = slotAt(next.getAndIncrement() & mask);
      if (slot.tryReserve()) {
        return slot;
      }
    }
    return null;
  }

  public PendingRequest slot(long id) {
    return slotAt((int) id & mask);
  }

  /** Slots are made when they are first used, and stay. */
  private PendingRequest slotAt(int index) {
    PendingRequest slot = slots.get(index);
    if (slot == null) {
      PendingRequest fresh = new PendingRequest(firstIdOf(index));
      slot = slots.compareAndExchange(index, null, fresh);
      slot = slot == null ? fresh : slot;
    }
    return slot;
  }

  private long firstIdOf(int index) {
    return firstId + (index - firstId & mask) & Long.MAX_VALUE;
  }

  /** The request with this id if it is still pending, to learn what response it expects. */
  public @Nullable PendingRequest find(long id) {
    PendingRequest slot = slot(id);
    return id > 0 && slot.id() == id ? slot : null;
  }

  /** Ends a request; false if it had ended before, which for a response means that it was late. */
  public boolean end(long id, @Nullable Object response, @Nullable RuntimeException failure) {
    PendingRequest slot = slot(id);
    if (id <= 0 || !slot.tryEnd(id)) {
      return false;
    }
    CompletableFuture<Object> future = slot.future;
    if (future == null) {
      slot.finish(response, failure);
    } else {
      completeElsewhere(slot, id, future, response, failure);
    }
    return true;
  }

  /** The slot is free before anything runs that hangs on the future, and might want it. */
  private void release(PendingRequest slot, long id) {
    Crowd counted = slot.counted(); // of this id, if this releases it
    if (slot.tryRelease(id)) {
      ended(counted);
    }
  }

  private void ended(@Nullable Crowd counted) {
    outstanding.decrementAndGet();
    if (counted != null) {
      counted.futureEnds();
    }
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever, and so the future. */
  private record Completion(
      PendingRequests requests,
      @Nullable PendingRequest released,
      long id,
      CompletableFuture<Object> future,
      @Nullable Object response,
      @Nullable RuntimeException failure)
      implements Runnable {

    @Override
    public void run() {
      if (released != null) {
        requests.release(released, id);
      }
      FutureOutcome.completeOnce(future, response, failure);
    }
  }

  /**
   * What hangs on a future is the user's; this thread is for the network. Where no thread can be
   * made for it, it happens here, as never would be worse. If even that fails the slot is not
   * released, and the sweep comes by: nobody waits.
   */
  private void completeElsewhere(
      PendingRequest slot,
      long id,
      CompletableFuture<Object> future,
      @Nullable Object response,
      @Nullable RuntimeException failure) {
    try {
      completions.execute(new Completion(this, slot, id, future, response, failure));
    } catch (RuntimeException | Error e) {
      if (!FutureOutcome.tryComplete(future, response, failure)) {
        return;
      }
    }
    release(slot, id);
  }

  /**
   * Takes a request back that was not sent, or whose future has ended without it; false if it has
   * ended in the meantime.
   */
  public boolean withdraw(long id) {
    PendingRequest slot = slot(id);
    if (!slot.tryEnd(id)) {
      return false;
    }
    release(slot, id);
    return true;
  }

  /**
   * By the thread that has opened a request and waits for it no more, whatever became of it: the
   * outcome is not told in time by who has won the right to tell it, or this thread has failed
   * itself. If another one has that right, the slot is left to it and gets a successor.
   */
  public void giveUp(long id) {
    if (!withdraw(id)) {
      int index = (int) id & mask;
      slots.set(index, slots.get(index).successor());
      outstanding.decrementAndGet();
    }
  }

  /** Frees the slot of a request whose waiter has taken the outcome. */
  public void free(long id) {
    slot(id).free();
    outstanding.decrementAndGet();
  }

  /**
   * Ends every request that waits for this connection, at once, or with null all; returns their
   * number.
   *
   * @param cause makes an exception for each request, from what that is, for people: its waiter
   *     adds what concerns it alone
   */
  @SuppressWarnings("ReferenceEquality") // a connection is only ever itself
  public int endAll(@Nullable Object connection, Function<String, RuntimeException> cause) {
    int ended = 0;
    if (isNone(connection)) { // who counts itself later sees why its request was to be ended
      return ended;
    }
    for (int index = 0; index <= mask; index++) {
      PendingRequest slot = slots.get(index);
      if (slot == null) {
        continue;
      }
      long id = slot.id();
      if (id > 0
          && (connection == null || slot.connection == connection)
          && end(id, null, cause.apply(slot.text(id)))) {
        ended++;
      }
    }
    return ended;
  }

  /**
   * Whether no request waits for this connection, or with null for any: without a look at the
   * table, which may be long, as many connections may end at a time. Who asks is counted before its
   * request has a slot, and until it has none.
   */
  private boolean isNone(@Nullable Object connection) {
    return outstanding.get() == 0
        || (connection instanceof Respondent respondent && respondent.crowd().requests() == 0);
  }

  /**
   * A request that waits for this connection, or 0 if there is none.
   *
   * @param last what this has said before, or 0; while that one waits no other is looked for
   */
  @SuppressWarnings("ReferenceEquality") // a connection is only ever itself
  public long findOf(Object connection, long last) {
    if (isNone(connection)) {
      return 0;
    }
    PendingRequest known = find(last);
    if (known != null && known.belongsTo(connection)) {
      return last;
    }
    for (int index = 0; index <= mask; index++) {
      PendingRequest slot = slots.get(index);
      long id = slot == null ? PendingRequest.FREE : slot.id();
      if (id > 0 && slot != null && slot.connection == connection) {
        return id;
      }
    }
    return 0;
  }

  /** The connections that requests wait for. */
  public Set<Object> connections() {
    Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int index = 0; index <= mask && outstanding.get() > 0; index++) {
      PendingRequest slot = slots.get(index);
      Object connection = slot == null || slot.id() <= 0 ? null : slot.connection;
      if (connection != null) {
        found.add(connection);
      }
    }
    return found;
  }

  /**
   * Ends the futures whose deadline has passed, and those that somebody was about to end and never
   * did; threads that wait watch their own. One thread, again and again while there are any.
   *
   * <p>Looks at the table only if a deadline may have passed, if it has seen somebody about to end
   * a future, and now and then ({@link SweepSchedule}).
   *
   * @param nodeIdOf tells the peer of a connection
   * @param overdue is told the connection of each
   * @return whether it has looked at the table
   */
  public boolean expire(long nowNs, ToIntFunction<Object> nodeIdOf, Consumer<Object> overdue) {
    if (!sweep.isDue(nowNs)) {
      return false;
    }
    long earliestNs = sweep.begin(nowNs); // before the slots are read
    for (int index = 0; index <= mask; index++) {
      PendingRequest slot = slots.get(index);
      if (slot == null) {
        continue;
      }
      long id = slot.id();
      Object connection = slot.connection;
      if (id > 0
          && connection != null // but for a slot that is being freed
          && slot.future != null) {
        long deadlineNs = slot.deadlineNs;
        if (nowNs - deadlineNs < 0) {
          earliestNs = earlier(earliestNs, deadlineNs);
        } else if (slot.isLeftToSender(nowNs)) {
          earliestNs = earlier(earliestNs, nowNs);
        } else if (end(id, null, late(nodeIdOf.applyAsInt(connection), id))) {
          overdue.accept(connection);
        }
      } else if (slot.isEndingFuture(id)) {
        earliestNs = earlier(earliestNs, nowNs); // it counts how often it is found like this
        if (slot.isWinnerLost(id)) {
          endLost(index, slot, -id);
        }
      }
    }
    sweep.end(earliestNs);
    return true;
  }

  private static long earlier(long oneNs, long otherNs) {
    return otherNs - oneNs < 0 ? otherNs : oneNs;
  }

  /**
   * Ends the futures that somebody was about to end and did not, by who closes the node: nobody
   * sweeps any more, and who was only slow has gone.
   */
  public void endLost() {
    for (int index = 0; index <= mask && outstanding.get() > 0; index++) {
      PendingRequest slot = slots.get(index);
      long id = slot == null ? PendingRequest.FREE : slot.id();
      if (slot != null && slot.isEndingFuture(id)) {
        endLost(index, slot, -id);
      }
    }
  }

  /** What a request ends with whose deadline has passed; by who knows that it has not ended. */
  public RequestTimeoutException late(int nodeId, long id) {
    return new RequestTimeoutException(
        "no response in time: nodeId=" + nodeId + " " + slot(id).text(id));
  }

  /**
   * In place of a winner that has not told the outcome. Should it only be slow, and go on, it finds
   * the future ended, and a slot that is not used again.
   */
  private void endLost(int index, PendingRequest slot, long id) {
    CompletableFuture<Object> future = slot.future;
    if (future == null || slot.id() != -id) { // looked at once more: else it is not of this id
      return;
    }
    PendingRequest successor = slot.successor();
    MessagingException lost =
        new MessagingException(
            "the outcome was lost, as the thread that had it found no stack or memory:"
                + " correlationId="
                + id);
    boolean told = true;
    try {
      completions.execute(new Completion(this, null, id, future, null, lost));
    } catch (RuntimeException | Error e) { // no thread can be made
      told = FutureOutcome.tryComplete(future, null, lost);
    }
    Crowd counted = slot.counted();
    if (told && slot.tryTakeOver(id)) {
      slots.set(index, successor);
      ended(counted);
    }
  }

  /** Requests that have a slot. */
  public int outstanding() {
    return outstanding.get();
  }

  /** Requests that are counted and have no slot yet. */
  public int waiting() {
    return waiting.get();
  }

  public void countLate() {
    lateResponses.increment();
  }

  public long late() {
    return lateResponses.sum();
  }
}
