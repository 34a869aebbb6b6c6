package org.ringwire.engine.connection;

import java.util.concurrent.ThreadLocalRandom;

/**
 * When a node that could not be reached may be tried again: after a time that doubles with each
 * failure, up to a bound, with jitter so that peers do not come back in step. Any thread.
 */
final class BackOff {

  private static final long FIRST_NS = 5_000_000;
  private static final long LONGEST_NS = 1_000_000_000;

  private final String cause;
  private final long waitNs;
  private final long untilNs;

  private BackOff(String cause, long waitNs, long nowNs) {
    this.cause = cause;
    this.waitNs = waitNs;
    untilNs = nowNs + waitNs / 2 + ThreadLocalRandom.current().nextLong(waitNs / 2 + 1);
  }

  static BackOff first(String cause, long nowNs) {
    return new BackOff(cause, FIRST_NS, nowNs);
  }

  BackOff next(String newCause, long nowNs) {
    return new BackOff(newCause, Math.min(2 * waitNs, LONGEST_NS), nowNs);
  }

  boolean isOver(long nowNs) {
    return nowNs - untilNs >= 0;
  }

  long leftNs(long nowNs) {
    return Math.max(0, untilNs - nowNs);
  }

  String cause() {
    return cause;
  }
}
