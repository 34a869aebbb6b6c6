package org.ringwire.tools.soak;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Says of the report about a connection from which message of each stream on a later connection may
 * have been used already when the report came. Where the listener has heard of no later one, that
 * is what was begun about a second before, for it hears of everything a little late; else it is
 * what was begun about a second before it heard of that one, however late the report is.
 *
 * <p>A second is {@link #MOMENTS} calls of {@link #tick}: where a process stands still or does not
 * get a processor, so does this clock. Any thread.
 */
final class Successors {

  static final int MOMENTS = 20;
  static final long MOMENT_NS = 50_000_000;

  private final SendLedger ledger;
  private final long[][][] moments; // a ring; by moment, receiver, stream
  private final List<Deque<long[]>> begins = new ArrayList<>(); // by receiver, the oldest first
  private final int[] open;
  private long ticks;

  Successors(SendLedger ledger) {
    this.ledger = ledger;
    moments = new long[MOMENTS][ledger.nodes() + 1][ledger.streams()];
    open = new int[ledger.nodes() + 1];
    for (int receiver = 0; receiver <= ledger.nodes(); receiver++) {
      begins.add(new ArrayDeque<>());
    }
  }

  /** Another moment has passed. */
  synchronized void tick() {
    long[][] moment = moments[(int) (ticks % MOMENTS)];
    for (int receiver = 1; receiver <= ledger.nodes(); receiver++) {
      moment[receiver] = ledger.begun(receiver);
    }
    ticks++;
  }

  /** A connection has begun. */
  synchronized void connected(int receiver) {
    begins.get(receiver).add(aSecondAgo(receiver));
    open[receiver]++;
    forgetEnded(receiver);
  }

  /**
   * A connection has ended, lost or dismissed.
   *
   * @return by stream, the number that a message over a later connection has at least
   */
  synchronized long[] ended(int receiver) {
    Deque<long[]> known = begins.get(receiver);
    long[] since =
        known.size() > 1 ? known.stream().skip(1).findFirst().orElseThrow() : aSecondAgo(receiver);
    open[receiver]--;
    forgetEnded(receiver);
    return since;
  }

  /** Reports may overtake each other: while several connections are open, all may be the oldest. */
  private void forgetEnded(int receiver) {
    Deque<long[]> known = begins.get(receiver);
    while (open[receiver] <= 1 && known.size() > Math.max(0, open[receiver])) {
      known.removeFirst();
    }
  }

  private long[] aSecondAgo(int receiver) {
    return moments[(int) (ticks % MOMENTS)][receiver]; // the oldest, nothing in the beginning
  }
}
