package org.ringwire.idle;

/**
 * Whether a wait offers the core before it parks. On a single core, what a thread waits for can
 * only come if it gives the core away; if it offers the core rather than parks, then the one that
 * it waits for may run now, and finds a thread that need not be woken.
 *
 * <p><em>Where it is in vain</em>, because nothing has come when the thread has the core back, it
 * is tried ever more rarely ({@link Trial}).
 *
 * <p><em>Where others want the core</em>, it may come back late: who offers a core goes to the end
 * of the queue, who is woken to its front. {@link #LATE} of those in short succession, and nobody
 * offers here for a while; for twice as long if the next trial is late as well. A core that comes
 * back late now and then (a compiler, a timer) changes nothing.
 *
 * <p>Made for one thread at a time, with the same leniency as {@link WaitingPlace}.
 */
final class CoreOffers {

  /**
   * How often a wait offers the core at most. Once is enough for two threads that do nothing else,
   * and more when one of them was awake already and offers it back first.
   */
  static final int MOST = 3;

  /** How often the core comes back late before nobody offers it. */
  static final int LATE = 2;

  /** After how many offers in a row that were not late one that was is forgotten. */
  static final int FORGET = 64;

  /** How long nobody offers it then, at first. */
  static final long CALM_NS = 20_000_000;

  /** How long when that has happened again and again: a late core is worth a hundredth of this. */
  static final long LONGEST_CALM_NS = 320_000_000;

  private final Load load;
  private final Trial trial = new Trial();
  private int late; // in offers until it is forgotten
  private long calmNs = CALM_NS;
  private long calmUntilNs;

  /** Whether it pays off is to be found out. */
  CoreOffers(Load load) {
    this.load = load;
  }

  /** Whether the next wait offers the core; {@link #made} and {@link #ended} follow if so. */
  boolean isDue(long nowNs) {
    return load.hasSingleCore() && !isCalm(nowNs) && trial.isDue();
  }

  private boolean isCalm(long nowNs) {
    if (late < LATE * FORGET) {
      return false;
    }
    if (nowNs - calmUntilNs < 0) {
      return true;
    }
    late -= FORGET; // the next one that is late is one too many
    return false;
  }

  /**
   * The core was offered, and is back.
   *
   * @return whether it may be offered again in the same wait
   */
  boolean made(long beforeNs, long nowNs) {
    if (nowNs - beforeNs < Load.GAP_NS) {
      if (late > 0 && --late == 0) {
        calmNs = CALM_NS;
      }
      return true;
    }
    late += FORGET;
    if (late >= LATE * FORGET) {
      late = LATE * FORGET;
      calmUntilNs = nowNs + calmNs;
      calmNs = Math.min(2 * calmNs, LONGEST_CALM_NS);
    }
    return false;
  }

  /** What a wait was for has come when the core was offered, or has not. */
  void ended(boolean found) {
    if (found) {
      trial.succeeded();
    } else {
      trial.failed();
    }
  }
}
