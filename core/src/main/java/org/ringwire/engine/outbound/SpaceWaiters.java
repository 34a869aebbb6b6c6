package org.ringwire.engine.outbound;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ringwire.WaitInterruptedException;

/**
 * Senders that wait for room in a ring or window.
 *
 * <p>No wake-up is lost: a waiter enters (a volatile increment) and takes a ticket before it tries
 * again; a thread that makes room publishes the room, then passes a full fence, then looks for
 * waiters. If it sees none, the waiter's attempt comes after the fence and sees the room; if it
 * sees one, it moves the ticket, and the waiter does not wait for a ticket that has moved.
 */
public final class SpaceWaiters {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final AtomicInteger count = new AtomicInteger();
  private final LongAdder stalls = new LongAdder();
  private volatile long ticket;

  public void enter() {
    count.incrementAndGet();
    stalls.increment();
  }

  public void leave() {
    count.decrementAndGet();
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
    VarHandle.fullFence(); // pairs with the increment in enter
    if (count.get() > 0) {
      lock.lock();
      try {
        long next = ticket + 1; // under the lock
        ticket = next;
        moved.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  public long stalls() {
    return stalls.sum();
  }
}
