package org.ringwire.idle;

/**
 * What a place has learned about a way of waiting that pays off or does not: after some trials in a
 * row that were in vain it is tried only now and then, more and more rarely, to find out whether
 * that has changed; the first success ends it. Made for one thread at a time, with the same
 * leniency as {@link WaitingPlace}.
 */
final class Trial {

  /** Trials in vain in a row before some are skipped. */
  private static final int PATIENCE = 4;

  /** Waits that are skipped at most: 2 to this. */
  private static final int MOST_SHIFT = 8;

  private int inVain;
  private int skips;

  /** Whether to try it this time; {@link #succeeded} or {@link #failed} follow if so. */
  boolean isDue() {
    if (skips > 0) {
      skips--;
      return false;
    }
    return true;
  }

  /** It has paid off. */
  void succeeded() {
    if (inVain != 0) {
      inVain = 0;
      skips = 0;
    }
  }

  /** It was in vain. */
  void failed() {
    if (++inVain >= PATIENCE) {
      skips = 1 << Math.min(inVain - PATIENCE, MOST_SHIFT);
    }
  }
}
