package org.ringwire.engine.outbound;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.ringwire.WaitInterruptedException;
import org.ringwire.flight.FlightEvents;

/**
 * Senders that wait for room in a ring or window.
 *
 * <p>No wake-up is lost: a waiter enters (a volatile increment) and takes a ticket before it tries
 * again; a thread that makes room publishes the room, then passes a full fence, then looks for
 * waiters. If it sees none, the waiter's attempt comes after the fence and sees the room; if it
 * sees one, it moves the ticket, and the waiter does not wait for a ticket that has moved.
 *
 * <p>Who may not wait leaves a notice instead, by the same rule: it is counted and in the list
 * before its condition is looked at, so that either that look or the next {@link #signal} finds the
 * room. A notice is taken out of the list by whoever acts on it, hence once.
 */
public final class SpaceWaiters {

  private static final long ORIGIN_NS = System.nanoTime(); // so that sums stay small

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final AtomicInteger count = new AtomicInteger();
  private volatile long ticket;
  private volatile int nodeId;
  private volatile int peerId;

  // What is counted of stalls, by threads that are about to park anyway; guarded by the lock.
  private long stalls;
  private int waiting;

  /** Those who are told; guarded by the lock. */
  private final List<Notice> notices = new ArrayList<>();

  private volatile boolean noticed; // whether there are any
  private long sinceNs; // sum of the times at which those that wait began
  private long endedNs;

  /** A wait of one sender. */
  public record Wait(long enteredNs, FlightEvents.Stall told) {}

  /** Before anybody waits: who waits for whom, for those who are told of it. */
  public void between(int node, int peer) {
    nodeId = node;
    peerId = peer;
  }

  /** A sender begins to wait; what is returned goes to {@link #leave}. */
  public Wait enter() {
    FlightEvents.Stall told = FlightEvents.get().stall();
    count.incrementAndGet();
    lock.lock();
    try {
      long nowNs = System.nanoTime() - ORIGIN_NS;
      stalls++;
      waiting++;
      sinceNs += nowNs;
      return new Wait(nowNs, told);
    } finally {
      lock.unlock();
    }
  }

  /** The wait is over. */
  public void leave(Wait wait) {
    wait.told().end(nodeId, peerId);
    count.decrementAndGet();
    lock.lock();
    try {
      waiting--;
      sinceNs -= wait.enteredNs();
      endedNs += System.nanoTime() - ORIGIN_NS - wait.enteredNs();
    } finally {
      lock.unlock();
    }
  }

  public long ticket() {
    return ticket;
  }

  /** Waits until the ticket has moved on; false if the deadline passed first. */
  public boolean await(long seen, long deadlineNs) {
    lock.lock();
    try {
      while (ticket == seen) {
        long left = deadlineNs - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        long rest = moved.awaitNanos(left);
        if (rest <= 0 && ticket == seen) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException("interrupted while waiting for room to send", e);
    } finally {
      lock.unlock();
    }
  }

  /** After room was made. */
  public void signal() {
    VarHandle.fullFence(); // pairs with the increments in enter and tryNotify
    signalAfterFence();
  }

  /** As {@link #signal}, for who has passed a full fence since the room was made. */
  void signalAfterFence() {
    if (count.get() > 0) {
      List<Notice> due = List.of();
      lock.lock();
      try {
        long next = ticket + 1; // under the lock
        ticket = next;
        moved.signalAll();
        if (!notices.isEmpty()) {
          due = takeDue();
        }
      } finally {
        lock.unlock();
      }
      for (Notice notice : due) {
        notice.action().run();
      }
    }
  }

  /**
   * Somebody who wants to be told of room.
   *
   * @param isDue whether there may be room; called by any thread, does not wait
   * @param action what tells, once; called by any thread, does not run users' code
   */
  public record Notice(BooleanSupplier isDue, Runnable action) {}

  /** Leaves a notice; false if it is due already: then its action is not run. Any thread. */
  public boolean tryNotify(Notice notice) {
    lock.lock();
    try {
      notices.add(notice);
      noticed = true;
      count.incrementAndGet();
    } finally {
      lock.unlock();
    }
    VarHandle.fullFence(); // pairs with the one in signal
    return !notice.isDue().getAsBoolean() || !take(notice);
  }

  /** Whether the notice was still there. */
  @SuppressWarnings("ReferenceEquality") // a notice is asked for itself
  private boolean take(Notice notice) {
    lock.lock();
    try {
      boolean taken = notices.removeIf(other -> other == notice);
      taken(taken ? 1 : 0);
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** With the lock. */
  private List<Notice> takeDue() {
    List<Notice> due = new ArrayList<>();
    for (Iterator<Notice> each = notices.iterator(); each.hasNext(); ) {
      Notice notice = each.next();
      if (notice.isDue().getAsBoolean()) {
        each.remove();
        due.add(notice);
      }
    }
    taken(due.size());
    return due;
  }

  private void taken(int notRemaining) {
    count.addAndGet(-notRemaining);
    noticed = !notices.isEmpty();
  }

  /** Whether somebody wants to be told. */
  public boolean hasNotices() {
    return noticed;
  }

  /**
   * What senders have waited so far.
   *
   * @param stalls times that a sender had to wait
   * @param blockedNs how long they have waited, those that wait now included
   * @param waiting senders that wait now
   */
  public record Stalls(long stalls, long blockedNs, int waiting) {}

  /** What senders have waited so far; any thread. */
  public Stalls stalls() {
    lock.lock();
    try {
      long openNs = waiting * (System.nanoTime() - ORIGIN_NS) - sinceNs;
      return new Stalls(stalls, endedNs + openNs, waiting);
    } finally {
      lock.unlock();
    }
  }
}
