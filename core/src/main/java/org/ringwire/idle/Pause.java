package org.ringwire.idle;

import java.util.concurrent.locks.LockSupport;

/**
 * The ways in which a thread of this library waits, one for each reason to wait. Nothing else
 * parks, yields or spins, except in a selector, in a lock, and for the end of a thread. Any thread;
 * no state.
 */
public final class Pause {

  /** Looks between two offers of the core to others. */
  private static final int ROUNDS_PER_YIELD = 4;

  /** How long a thread that collides hopes that the other one runs. */
  private static final int COLLISIONS_PER_YIELD = 64;

  private Pause() {}

  /**
   * Idle: until somebody unparks this thread, or for no reason; callers look again.
   *
   * @param blocker shown by thread dumps
   */
  public static void idle(Object blocker) {
    LockSupport.park(blocker);
  }

  /**
   * Idle, with something due later: until somebody unparks this thread, or a time is over, or for
   * no reason; callers look again.
   *
   * @param blocker shown by thread dumps
   * @param longestNs longest time to wait, in nanoseconds; not at all unless positive
   */
  public static void idle(Object blocker, long longestNs) {
    LockSupport.parkNanos(blocker, longestNs);
  }

  /**
   * Blocked: until somebody unparks this thread, or a time is over, or for no reason; callers look
   * again. Linux adds some 50 us to the time.
   *
   * @param blocker shown by thread dumps
   * @param longestNs longest time to wait, in nanoseconds; not at all unless positive
   */
  public static void blocked(Object blocker, long longestNs) {
    LockSupport.parkNanos(blocker, longestNs);
  }

  /**
   * Starved: there is no heap for something that is tried again. Nothing ends it but its time, as
   * each attempt would follow the last at once; the status of an interrupt is kept.
   *
   * @param blocker shown by thread dumps
   * @param timeNs time to wait, in nanoseconds
   */
  public static void starved(Object blocker, long timeNs) {
    long endNs = System.nanoTime() + timeNs;
    boolean interrupted = false;
    for (long leftNs = timeNs; leftNs > 0; leftNs = endNs - System.nanoTime()) {
      interrupted |= Thread.interrupted(); // with its status set, no thread parks
      blocked(blocker, leftNs);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Colliding: another thread is between two instructions that belong together. It is done in
   * nanoseconds if it runs; and if it does not, because there are more threads than cores, then
   * this thread may be the one that has its core, hence it is offered now and then.
   *
   * @param round how often this was called for the same wait
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but the time that it takes
  public static void colliding(int round) {
    if (round % COLLISIONS_PER_YIELD == COLLISIONS_PER_YIELD - 1) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  /**
   * Locked: as {@link #colliding}, where a thread that begins late would come behind all others
   * that have begun: a virtual one keeps its carrier.
   *
   * @param round how often this was called for the same wait
   */
  public static void locked(int round) {
    if (Thread.currentThread().isVirtual()) {
      Thread.onSpinWait();
    } else {
      colliding(round);
    }
  }

  /**
   * Crowded: others that wait for the same link have more to do with this core than to be woken.
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but the time that it takes
  public static void crowded() {
    Thread.yield();
  }

  /**
   * Contended: others send over the same link at the same time on other cores, and keep the lines
   * that this thread writes; whoever reads what was sent may be waiting for a core.
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but the time that it takes
  public static void contended() {
    Thread.yield();
  }

  /**
   * Offered: what this thread waits for needs the only core, which is given away before parking
   * ({@link WaitingPlace#mayOffer}).
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but the time that it takes
  public static void offered() {
    Thread.yield();
  }

  /**
   * Spinning: between two looks at the clock, or looks that cost a system call. Now and then it
   * offers the core to others: the scheduler likes to put the thread that a packet wakes on the
   * core of the thread that sent it, and if the sender spins there, as it does when it waits for
   * the answer, each would run only when the other's spinning is over, for as long as no other core
   * is idle.
   *
   * @param round how often this was called for the same wait
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but the time that it takes
  public static void spinning(int round) {
    if (round % ROUNDS_PER_YIELD == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  /** Spinning: between two looks at memory. */
  public static void look() {
    Thread.onSpinWait();
  }
}
