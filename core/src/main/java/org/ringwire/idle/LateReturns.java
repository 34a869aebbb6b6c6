package org.ringwire.idle;

/**
 * Whether a core comes back late to a thread that gave it away, or held it, for a moment: then
 * others want it. {@link #MOST} of those in short succession, and the thread stays away from that
 * for a while; for twice as long if the next trial is late as well. A core that comes back late now
 * and then (a compiler, a timer) changes nothing.
 *
 * <p>Made for one thread at a time, with the same leniency as {@link WaitingPlace}.
 */
final class LateReturns {

  /** How often the core comes back late before the calm. */
  static final int MOST = 2;

  /** After how many returns in a row that were not late one that was is forgotten. */
  static final int FORGET = 64;

  /** Length of the calm, at first. */
  static final long CALM_NS = 20_000_000;

  /** Its length when that has happened again and again: a late core is worth a hundredth of it. */
  static final long LONGEST_CALM_NS = 320_000_000;

  private int late; // in returns until it is forgotten
  private long calmNs = CALM_NS;
  private long calmUntilNs;

  /** None so far. */
  LateReturns() {}

  /** Whether it is time to stay away. */
  boolean isCalm(long nowNs) {
    if (late < MOST * FORGET) {
      return false;
    }
    if (nowNs - calmUntilNs < 0) {
      return true;
    }
    late -= FORGET; // the next one that is late is one too many
    return false;
  }

  /**
   * The core is back.
   *
   * @return whether it was not late
   */
  boolean returned(long beforeNs, long nowNs) {
    if (nowNs - beforeNs < Load.GAP_NS) {
      if (late > 0 && --late == 0) {
        calmNs = CALM_NS;
      }
      return true;
    }
    late += FORGET;
    if (late >= MOST * FORGET) {
      late = MOST * FORGET;
      calmUntilNs = nowNs + calmNs;
      calmNs = Math.min(2 * calmNs, LONGEST_CALM_NS);
    }
    return false;
  }
}
