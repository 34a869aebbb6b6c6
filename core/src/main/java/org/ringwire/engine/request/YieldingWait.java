package org.ringwire.engine.request;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How threads of a crowd wait: each yields its core to the others, a few times, before it parks.
 * Meanwhile these put their requests into the ring, one of them writes what has come together, and
 * whoever reads the link takes the answers; so when a thread runs again, its request is often
 * answered, and nobody had to be parked and woken. That pays off where the cores are free, and
 * makes no difference where others want them, too; docs/performance.md has what was measured.
 *
 * <p><b>Back-off.</b> A thread of another program does not give the core back after microseconds,
 * but keeps it for its time slice; who yields to one gets less of the machine than who parks and is
 * woken with preference. That shows in the time that a yield takes. Then nobody yields for a while,
 * twice as long each time that the next attempt shows it again at once. A single long yield says
 * little: the compiler of the JVM, or another virtual machine on the host, takes a core now and
 * then. And where answers take longer than some yields, because handlers do, yielding is in vain:
 * then waits skip it, more and more of them, until one that tries is lucky.
 *
 * <p>Any thread. The state is a guess that threads share: what one of them writes may overwrite
 * what another one has learned, and nothing but the decision depends on it.
 */
public final class YieldingWait {

  /** Yields of one wait at most. */
  static final int MOST_YIELDS = 12;

  /** A longer yield was somebody else's time slice; besides the share of those that yield. */
  static final long TIME_SLICE_NS = 400_000;

  /** The part of a yield that each of the yielding threads may take. */
  static final long SHARE_NS = 20_000;

  /** How long nobody yields after a time slice, at first, and at most. */
  static final long BACK_OFF_NS = 5_000_000;

  static final long LONGEST_BACK_OFF_NS = 1_280_000_000;

  /** A time slice that begins so soon after a back-off is the next attempt. */
  static final long SOON_NS = 2_000_000;

  /** Waits in vain, in a row, before some are skipped. */
  private static final int PATIENCE = 8;

  private static final int MOST_SHIFT = 8;

  private final LongSupplier clock;
  private final Runnable yield;
  private volatile long backOffUntilNs;
  private volatile long backOffNs = BACK_OFF_NS / 2; // the first time is once again
  private volatile int inVain;
  private volatile int skips;

  /** Of this process's threads. */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but the time that it takes
  YieldingWait() {
    this(System::nanoTime, Thread::yield);
  }

  /**
   * For tests.
   *
   * @param clock nanoseconds, as {@link System#nanoTime}
   * @param yield lets others run
   */
  YieldingWait(LongSupplier clock, Runnable yield) {
    this.clock = clock;
    this.yield = yield;
    backOffUntilNs = clock.getAsLong();
  }

  /** Whether a wait that begins now yields; asked once per wait. */
  boolean mayYield() {
    int left = skips;
    if (left > 0) {
      skips = left - 1;
      return false;
    }
    return clock.getAsLong() - backOffUntilNs >= 0;
  }

  /**
   * Yields until what is waited for is there, or often enough.
   *
   * @param threads that may yield, this one included
   * @param afterFirst what the others have made worth doing, after the first yield
   * @return whether it is there
   */
  boolean await(BooleanSupplier done, int threads, Runnable afterFirst) {
    long longestNs = TIME_SLICE_NS + threads * SHARE_NS;
    long beforeNs = clock.getAsLong();
    boolean isDone = false;
    for (int yields = 0; yields < MOST_YIELDS && !isDone; yields++) {
      this.yield.run();
      if (yields == 0) {
        afterFirst.run();
      }
      isDone = done.getAsBoolean();
      long nowNs = clock.getAsLong();
      if (nowNs - beforeNs > longestNs) {
        backOff(beforeNs, nowNs);
        return isDone;
      }
      beforeNs = nowNs;
    }
    learn(isDone);
    return isDone;
  }

  private void backOff(long beganNs, long nowNs) {
    long sinceNs = beganNs - backOffUntilNs;
    if (sinceNs >= 0) { // else another thread has said so of the same slice
      boolean again = sinceNs < SOON_NS;
      long nextNs = again ? Math.min(2 * backOffNs, LONGEST_BACK_OFF_NS) : BACK_OFF_NS;
      backOffNs = nextNs;
      backOffUntilNs = nowNs + nextNs;
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
