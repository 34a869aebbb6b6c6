package org.ringwire.engine.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * When the sweep of a table of requests has to look at it next: a table may be long, and mostly no
 * deadline has passed.
 *
 * <p>Any thread tells deadlines, the one that sweeps does the rest. No deadline is missed: a
 * request is in the table before its deadline is told, and the sweep forgets the earliest one
 * before it looks at the table.
 */
final class SweepSchedule {

  /** How long the sweep looks at nothing if no deadline passes. */
  private static final long LONGEST_REST_NS = 1_000_000_000;

  private static final VarHandle NEXT_LOOK_NS;

  static {
    try {
      NEXT_LOOK_NS =
          MethodHandles.lookup().findVarHandle(SweepSchedule.class, "nextLookNs", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** No deadline of a future is before this; who opens one that is makes it earlier. */
  private volatile long nextLookNs;

  private boolean hasLooked; // the sweep's

  /** Whether a deadline may have passed, or the last look has failed. */
  boolean isDue(long nowNs) {
    return !hasLooked || nowNs - nextLookNs >= 0;
  }

  /**
   * The sweep is going to read the table; if it fails the next one looks again.
   *
   * @return when it looks next at the latest
   */
  long begin(long nowNs) {
    nextLookNs = nowNs + LONGEST_REST_NS;
    hasLooked = false;
    return nextLookNs;
  }

  /** The sweep has read the table, and this is the earliest deadline that it has found there. */
  void end(long earliestNs) {
    hasLooked = true;
    lookUntil(earliestNs);
  }

  /** The sweep is to look at that time at the latest; any thread, once a request is there. */
  void lookUntil(long timeNs) {
    long known = nextLookNs;
    while (timeNs - known < 0 && !NEXT_LOOK_NS.compareAndSet(this, known, timeNs)) {
      known = nextLookNs;
    }
  }
}
