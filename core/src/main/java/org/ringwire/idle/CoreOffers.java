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
 * of the queue, who is woken to its front. Then nobody offers here for a while ({@link
 * LateReturns}).
 *
 * <p>Made for one thread at a time, with the same leniency as {@link WaitingPlace}.
 */
final class CoreOffers {

  /**
   * How often a wait offers the core at most. Once is enough for two threads that do nothing else,
   * and more when one of them was awake already and offers it back first.
   */
  static final int MOST = 3;

  private final Load load;
  private final Trial trial = new Trial();
  private final LateReturns returns = new LateReturns();

  /** Whether it pays off is to be found out. */
  CoreOffers(Load load) {
    this.load = load;
  }

  /** Whether the next wait offers the core; {@link #made} and {@link #ended} follow if so. */
  boolean isDue(long nowNs) {
    return load.hasSingleCore() && !returns.isCalm(nowNs) && trial.isDue();
  }

  /**
   * The core was offered, and is back.
   *
   * @return whether it may be offered again in the same wait
   */
  boolean made(long beforeNs, long nowNs) {
    return returns.returned(beforeNs, nowNs);
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
