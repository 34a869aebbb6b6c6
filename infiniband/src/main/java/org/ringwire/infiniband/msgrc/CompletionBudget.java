package org.ringwire.infiniband.msgrc;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many more requests of all links may be posted before some complete: a completion queue that
 * overflows takes every link down. Each request counts, signalled or not, because all that fail
 * have a completion. Any thread.
 */
final class CompletionBudget {

  private final int total;
  private final int spare;
  private final AtomicInteger free;

  /**
   * For a completion queue.
   *
   * @param total its entries to spend
   * @param spare those that it has beside them, for {@link #takeOne}
   */
  CompletionBudget(int total, int spare) {
    this.total = total;
    this.spare = spare;
    free = new AtomicInteger(total);
  }

  /**
   * How many more requests a link may post. No more than leaves as many free as are of it then:
   * nobody knows whether its peer ever takes them, and however many peers take nothing, some are
   * left for the links to all others.
   *
   * @param outstanding of the link
   */
  int share(int outstanding) {
    return Math.max(0, (free.get() - outstanding + 1) / 2);
  }

  /**
   * Takes up to so many.
   *
   * @return how many; 0 if there are none
   */
  int take(int wanted) {
    int seen = free.get();
    while (true) {
      int taken = Math.clamp(seen, 0, wanted);
      if (taken == 0) {
        return 0;
      }
      int witness = free.compareAndExchange(seen, seen - taken);
      if (witness == seen) {
        return taken;
      }
      seen = witness;
    }
  }

  /**
   * Whether there is one to spare for the end of a link, of which many may come at once; half of
   * them are left to links that open.
   */
  boolean hasSpare() {
    return free.get() > -(spare / 2);
  }

  /**
   * Takes one for what a link says once, for which the queue has entries to spare.
   *
   * @return false if all of those are taken, too, as on a device with a small queue
   */
  boolean takeOne() {
    int seen = free.get();
    while (seen > -spare) {
      int witness = free.compareAndExchange(seen, seen - 1);
      if (witness == seen) {
        return true;
      }
      seen = witness;
    }
    return false;
  }

  /** Gives some back. */
  void give(int count) {
    if (count > 0) {
      free.addAndGet(count);
    }
  }

  /** Whether nothing is outstanding. */
  boolean isWhole() {
    return free.get() >= total;
  }

  /** Requests that are outstanding. */
  int outstanding() {
    return total - free.get();
  }
}
