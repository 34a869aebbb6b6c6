package org.ringwire.engine.request;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How threads of a crowd wait: each lets the others have the core, a few times, before it parks.
 * While it is their turn they put their requests into the ring, one of them writes what has come
 * together, and whoever reads the link takes the answers; so when a thread has its turn again, its
 * request is often answered, and nobody had to be parked and woken, which costs several times as
 * much as a turn (measured: docs/performance.md).
 *
 * <p><b>When not.</b> A thread of another program does not give the core back after microseconds,
 * but keeps it for its time slice; who yields to one gets less of the machine than who parks and is
 * woken with preference. That shows in the time that a turn takes. Then nobody takes turns for a
 * while, twice as long each time that the next attempt shows it again at once. A single long turn
 * says little: the compiler of the JVM, or another virtual machine on the host, takes a core now
 * and then. And where answers take longer than some turns, because handlers do, turns are in vain:
 * then waits skip them, more and more of them, until one that tries is lucky.
 *
 * <p>Any thread. The state is a guess that threads share: what one of them writes may overwrite
 * what another one has learned, and nothing but the decision depends on it.
 */
public final class Turns {

  /** Turns that one wait takes at most. */
  static final int MOST = 12;

  /** A longer turn was somebody else's time slice; besides the fellows' share. */
  static final long FOREIGN_NS = 400_000;

  /** The share of a turn that each fellow may take. */
  static final long SHARE_NS = 20_000;

  /** How long nobody takes turns after a foreign one, at first, and at most. */
  static final long CALM_NS = 5_000_000;

  static final long LONGEST_CALM_NS = 1_280_000_000;

  /** A long turn that begins so early after a calm time is the next attempt. */
  static final long SOON_NS = 2_000_000;

  /** Waits in vain, in a row, before some are skipped. */
  private static final int PATIENCE = 8;

  private static final int MOST_SHIFT = 8;

  private final LongSupplier clock;
  private final Runnable turn;
  private volatile long calmUntilNs;
  private volatile long calmNs = CALM_NS / 2; // the first time is once again
  private volatile int inVain;
  private volatile int skips;

  /** Turns of this process's threads. */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but the time that it takes
  Turns() {
    this(System::nanoTime, Thread::yield);
  }

  /**
   * For tests.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   * @param turn lets others run
   */
  Turns(LongSupplier clock, Runnable turn) {
    this.clock = clock;
    this.turn = turn;
    calmUntilNs = clock.getAsLong();
  }

  /** Whether a wait that begins now takes turns; asked once per wait. */
  boolean mayBegin() {
    int left = skips;
    if (left > 0) {
      skips = left - 1;
      return false;
    }
    return clock.getAsLong() - calmUntilNs >= 0;
  }

  /**
   * Takes turns until what is waited for is there, or there were enough of them.
   *
   * @param fellows threads that may take turns, this one included
   * @param afterFirst what others' turns have made worth doing, after the first one
   * @return whether it is there
   */
  boolean await(BooleanSupplier done, int fellows, Runnable afterFirst) {
    long longestNs = FOREIGN_NS + fellows * SHARE_NS;
    long beforeNs = clock.getAsLong();
    boolean isDone = false;
    for (int taken = 0; taken < MOST && !isDone; taken++) {
      turn.run();
      if (taken == 0) {
        afterFirst.run();
      }
      isDone = done.getAsBoolean();
      long nowNs = clock.getAsLong();
      if (nowNs - beforeNs > longestNs) {
        calmDown(beforeNs, nowNs);
        return isDone;
      }
      beforeNs = nowNs;
    }
    learn(isDone);
    return isDone;
  }

  private void calmDown(long beganNs, long nowNs) {
    long sinceNs = beganNs - calmUntilNs;
    if (sinceNs >= 0) { // else a fellow has said so of the same slice
      boolean again = sinceNs < SOON_NS;
      long nextNs = again ? Math.min(2 * calmNs, LONGEST_CALM_NS) : CALM_NS;
      calmNs = nextNs;
      calmUntilNs = nowNs + nextNs;
    }
  }

  private void learn(boolean lucky) {
    if (lucky) {
      if (inVain != 0) {
        inVain = 0;
        skips = 0;
      }
    } else {
      int waits = inVain + 1;
      inVain = waits;
      if (waits >= PATIENCE) {
        skips = 1 << Math.min(waits - PATIENCE, MOST_SHIFT);
      }
    }
  }
}
