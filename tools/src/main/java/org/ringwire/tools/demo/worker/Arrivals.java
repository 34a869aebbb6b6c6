package org.ringwire.tools.demo.worker;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts the messages that were handled, and lets one thread wait for a number of them.
 *
 * <p>Any thread may count; one thread waits at a time. Nothing is missed: a counting thread
 * increments and then reads the number that is awaited, the waiting thread writes that number and
 * then reads the count, all of them volatile. One of the two sees the other. Whatever a handler
 * wrote before it counted is visible to the waiting thread, because increments form one chain.
 */
final class Arrivals {

  private final AtomicLong handled = new AtomicLong();
  private volatile long awaited = Long.MAX_VALUE;
  private volatile @Nullable Thread waiter;

  /** One message was handled. */
  void count() {
    if (handled.incrementAndGet() == awaited) {
      LockSupport.unpark(waiter);
    }
  }

  /** How many messages were handled so far. */
  long handled() {
    return handled.get();
  }

  /**
   * Waits until that many messages were handled since the beginning.
   *
   * @throws TimeoutException if they were not in time; the message tells both numbers
   */
  void await(long total, Duration timeout) throws TimeoutException, InterruptedException {
    waiter = Thread.currentThread();
    awaited = total;
    long deadline = System.nanoTime() + timeout.toNanos();
    while (handled.get() < total) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      long remaining = deadline - System.nanoTime();
      if (remaining <= 0) {
        throw new TimeoutException("handled " + handled.get() + " of " + total + " messages");
      }
      LockSupport.parkNanos(this, remaining);
    }
  }
}
