package org.ringwire.engine.inbound;

/**
 * How much a node generates for what peers write: so many codecs at once, for a cluster that is
 * being upgraded, and then one per interval. A long schema takes as much as several, as generating
 * for it does. A peer that comes back with ever new schemas costs no more than that. Any thread.
 */
public final class GenerationBudget {

  private static final int BURST = 1024;
  private static final long INTERVAL_NS = 50_000_000;
  private static final int BYTES = 512; // of a schema, for which one codec is reckoned

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

  /** What is to be taken for a schema of so many bytes. */
  static int costOf(int schemaLength) {
    return 1 + schemaLength / BYTES;
  }

  /** Takes so many; false if there are not so many now. */
  synchronized boolean tryTake(long nowNs, int cost) {
    long from = used && paidUntilNs - nowNs > 0 ? paidUntilNs : nowNs;
    long tookNs = cost * intervalNs;
    if (from + tookNs - nowNs > aheadNs) {
      return false;
    }
    used = true;
    paidUntilNs = from + tookNs;
    return true;
  }
}
