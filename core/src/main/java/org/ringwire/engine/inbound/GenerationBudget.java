package org.ringwire.engine.inbound;

/**
 * How often a node generates codecs for what peers write: so many at once, for a cluster that is
 * being upgraded, and then one per interval. A peer that comes back with ever new schemas costs no
 * more than that. Any thread.
 */
public final class GenerationBudget {

  private static final int BURST = 1024;
  private static final long INTERVAL_NS = 50_000_000;

  private final long intervalNs;
  private final long aheadNs;
  private long paidUntilNs; // guarded by this: when all that was taken will have been earned
  private boolean used; // guarded by this

  /** As many as suit a node. */
  public GenerationBudget() {
    this(BURST, INTERVAL_NS);
  }

  /** As many as are given here at once, and one more per interval. */
  GenerationBudget(int burst, long intervalNs) {
    this.intervalNs = intervalNs;
    aheadNs = burst * intervalNs;
  }

  /** Takes one; false if there is none now. */
  public synchronized boolean tryTake(long nowNs) {
    long from = used && paidUntilNs - nowNs > 0 ? paidUntilNs : nowNs;
    if (from + intervalNs - nowNs > aheadNs) {
      return false;
    }
    used = true;
    paidUntilNs = from + intervalNs;
    return true;
  }
}
