package org.ringwire.engine.connection.attempt;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * When a node that could not be reached may be tried again: after a time that doubles with each
 * failure, up to a bound, with jitter so that peers do not come back in step. Any thread.
 *
 * <p>It concerns the addresses that have failed: a node that was started elsewhere is tried there
 * at once. Since the last attempt that had waited for its time, {@link #MOST_ADDRESSES} may fail;
 * then all wait. So a directory that always says something else causes so many attempts in that
 * time, and no more.
 */
final class BackOff {

  static final int MOST_ADDRESSES = 3;

  private static final long FIRST_NS = 5_000_000;
  private static final long LONGEST_NS = 1_000_000_000;

  private final String cause;
  private final @Nullable String tried;
  private final List<String> failed; // none if nobody knows where: then all wait
  private final long waitNs;
  private final long sinceNs;
  private final long untilNs;

  private BackOff(
      String cause, @Nullable String tried, List<String> failed, long waitNs, long nowNs) {
    this.cause = cause;
    this.tried = tried;
    this.failed = failed;
    this.waitNs = waitNs;
    sinceNs = nowNs;
    untilNs = nowNs + waitNs / 2 + ThreadLocalRandom.current().nextLong(waitNs / 2 + 1);
  }

  /**
   * After the first failure.
   *
   * @param address where it was tried, or null if only the peer has tried
   */
  static BackOff first(String cause, @Nullable String address, long nowNs) {
    List<String> addresses = address == null ? List.of() : List.of(address);
    return new BackOff(cause, address, addresses, FIRST_NS, nowNs);
  }

  /**
   * After another failure.
   *
   * @param beganNs when the attempt began that has failed
   */
  BackOff next(String newCause, @Nullable String address, long beganNs, long nowNs) {
    List<String> addresses = isOver(beganNs) ? new ArrayList<>() : new ArrayList<>(failed);
    if (address != null && !addresses.contains(address)) {
      addresses.add(address);
    }
    long longer = Math.min(2 * waitNs, LONGEST_NS);
    return new BackOff(newCause, address, List.copyOf(addresses), longer, nowNs);
  }

  /** Whether a node may not be tried at an address now. */
  boolean refuses(String address, long nowNs) {
    boolean isNew =
        !failed.isEmpty() && failed.size() < MOST_ADDRESSES && !failed.contains(address);
    return !isNew && !isOver(nowNs);
  }

  private boolean isOver(long nowNs) {
    return nowNs - untilNs >= 0;
  }

  /** How long those that have failed wait. */
  long leftNs(long nowNs) {
    return Math.max(0, untilNs - nowNs);
  }

  /**
   * Why a node is not tried now: what has failed some time ago, perhaps elsewhere.
   *
   * @param address where it would be tried
   */
  String why(String address, long nowNs) {
    boolean moved = tried != null && !tried.equals(address);
    return cause
        + " (failed "
        + TimeUnit.NANOSECONDS.toMillis(nowNs - sinceNs)
        + " ms ago"
        + (moved ? " at address=" + tried : "")
        + "; not tried again for "
        + TimeUnit.NANOSECONDS.toMillis(leftNs(nowNs))
        + " ms"
        + (moved ? ", then at address=" + address + ", which the directory says now)" : ")");
  }
}
