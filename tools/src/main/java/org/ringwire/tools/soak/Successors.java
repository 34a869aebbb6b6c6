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
  private final int[] doubtful; // of the begins, the oldest: forgotten after the next end
  private long ticks;

  Successors(SendLedger ledger) {
    this.ledger = ledger;
    moments = new long[MOMENTS][ledger.nodes() + 1][ledger.streams()];
    open = new int[ledger.nodes() + 1];
    doubtful = new int[ledger.nodes() + 1];
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
    forgetIfAllHaveEnded(receiver);
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
    forgetDoubtful(receiver);
    forgetIfAllHaveEnded(receiver);
    return since;
  }

  /**
   * Reports may overtake each other: while several connections are open, all may be the oldest, and
   * so may the one that is left, until it has ended.
   */
  private void forgetDoubtful(int receiver) {
    Deque<long[]> known = begins.get(receiver);
    for (; doubtful[receiver] > 0; doubtful[receiver]--) {
      known.removeFirst();
    }
    if (open[receiver] == 1) {
      doubtful[receiver] = Math.max(0, known.size() - 1);
    }
  }

  private void forgetIfAllHaveEnded(int receiver) {
    if (open[receiver] <= 0) {
      begins.get(receiver).clear();
      doubtful[receiver] = 0;
    }
  }

  private long[] aSecondAgo(int receiver) {
    return moments[(int) (ticks % MOMENTS)][receiver]; // the oldest, nothing in the beginning
  }
}
