package org.ringwire.engine.inbound;

import java.util.function.IntSupplier;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;

/**
 * How much a node generates for what peers write. At once as much as it takes to read two other
 * versions of all its types, each up to {@link #BYTES} longer than its own, as where it comes into
 * a cluster that is being upgraded, but no fewer than {@link #LEAST_BURST} codecs and no more than
 * {@link #MOST_BURST}; after that one per interval. What a codec takes grows with both schemas:
 * that of the peer, and that of the type here, all of whose components it fills. A peer that comes
 * back with ever new schemas costs no more than that. Any thread.
 *
 * <p>One is reckoned at some 0.2 to 0.4 ms of a core.
 */
public final class GenerationBudget {

  private static final int VERSIONS = 2;
  private static final int LEAST_BURST = 1024;
  private static final int MOST_BURST = 16_384;
  private static final long INTERVAL_NS = 10_000_000;
  private static final int BYTES = 512; // of both schemas, for which one codec is reckoned

  private final IntSupplier burst;
  private final long intervalNs;
  private long aheadNs; // guarded by this, as the next: what was last known to be the burst
  private long paidUntilNs; // when all that was taken will have been earned
  private boolean used; // guarded by this

  /** As many as suit a node with these types, and those that it will have. */
  public GenerationBudget(MessageCatalog catalog) {
    this(catalog, INTERVAL_NS);
  }

  /** The same at once, and one more per interval. */
  GenerationBudget(MessageCatalog catalog, long intervalNs) {
    this(() -> burstFor(catalog), intervalNs);
  }

  /** As many as are given here at once, and one more per interval. */
  GenerationBudget(int burst, long intervalNs) {
    this(() -> burst, intervalNs);
  }

  private GenerationBudget(IntSupplier burst, long intervalNs) {
    this.burst = burst;
    this.intervalNs = intervalNs;
  }

  private static int burstFor(MessageCatalog catalog) {
    long all = 0;
    for (MessageType<?> type : catalog.types()) {
      int length = type.schema().toString().length();
      all += (long) VERSIONS * costOf(length + BYTES, length); // some components longer, maybe
    }
    return Math.clamp(all, LEAST_BURST, MOST_BURST);
  }

  /** What is to be taken to read what a schema of so many bytes describes into one of so many. */
  static int costOf(int writtenLength, int ownLength) {
    return 1 + (writtenLength + ownLength) / BYTES;
  }

  /** Takes so many; false if there are not so many now. */
  synchronized boolean tryTake(long nowNs, int cost) {
    long from = used && paidUntilNs - nowNs > 0 ? paidUntilNs : nowNs;
    long tookNs = cost * intervalNs;
    long openNs = from + tookNs - nowNs;
    if (openNs > aheadNs) {
      aheadNs = burst.getAsInt() * intervalNs; // the node may have more types since
      if (openNs > aheadNs) {
        return false;
      }
    }
    used = true;
    paidUntilNs = from + tookNs;
    return true;
  }
}
