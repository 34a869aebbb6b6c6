package org.ringwire.idle;

import org.ringwire.IdleStrategy;

/**
 * Decides for a place where threads wait, one wait at a time, how long to spin before parking, and
 * whether to offer the core to others before that.
 *
 * <p><em>Spinning.</em> A strategy with a fixed time has that time. An adaptive one spins if the
 * process has cores for it ({@link Load}) and if spinning has paid off here lately ({@link Trial}).
 * So a wait costs at most twice what it would cost who knows beforehand how long it takes, since
 * spinning lasts about as long as parking and waking cost, and a place where nothing happens soon
 * costs next to nothing.
 *
 * <p><em>Offering</em> the core is for those who have only one, whatever the strategy ({@link
 * CoreOffers}).
 *
 * <p>Made for one thread at a time. Several threads may share a place: what they have learned is
 * then a mixture of guesses, and an update may get lost; nothing but the decision depends on it.
 */
public final class WaitingPlace {

  private final IdleStrategy strategy;
  private final Load load;
  private final Trial spinning = new Trial();
  private final CoreOffers offers;

  WaitingPlace(IdleStrategy strategy, Load load) {
    this.strategy = strategy;
    this.load = load;
    offers = new CoreOffers(load);
  }

  /** A place of this process. */
  public static WaitingPlace of(IdleStrategy strategy) {
    return new WaitingPlace(strategy, Load.PROCESS);
  }

  /** Whether waits may spin at all, now or later. */
  public boolean spins() {
    return strategy.spins();
  }

  /** Whether a wait may be anything else than parking at once, as things are now. */
  public boolean mayDelay() {
    return strategy.spins() || load.hasSingleCore();
  }

  /**
   * A wait begins: how long it may spin. {@link #succeeded} or {@link #failed} follow if it does.
   *
   * @param thread the calling one
   * @param nowNs the time
   * @return nanoseconds; 0 to park at once
   */
  public long begin(ActiveThread thread, long nowNs) {
    if (strategy.adapts()) {
      load.note(thread, nowNs);
    }
    return spinNs(nowNs);
  }

  /** The same for a thread that was counted before. */
  public long spinNs(long nowNs) {
    if (!strategy.adapts()) {
      return strategy.spinNs();
    }
    return load.maySpin(nowNs) && spinning.isDue() ? strategy.spinNs() : 0;
  }

  /** Whether a thread that spins may go on. */
  public boolean mayGoOn(long nowNs) {
    return !strategy.adapts() || load.maySpin(nowNs);
  }

  /** What a wait was for has come while it was spinning. */
  public void succeeded() {
    spinning.succeeded();
  }

  /** A wait has spun in vain. */
  public void failed() {
    spinning.failed();
  }

  /** A thread that spins here has read the clock twice in a row. */
  public void gap(long beforeNs, long nowNs) {
    load.gap(beforeNs, nowNs);
  }

  /**
   * Whether a wait that does not spin, or no longer, offers the core before it parks: {@link
   * #offer} follows, until it says no or what the wait was for has come, and then {@link #offered}.
   */
  public boolean mayOffer(long nowNs) {
    return offers.isDue(nowNs);
  }

  /**
   * Offers the core, once.
   *
   * @param round how often this was called for the same wait
   * @return whether it may be called again for this wait
   */
  public boolean offer(int round) {
    long beforeNs = System.nanoTime();
    Pause.offered();
    return offers.made(beforeNs, System.nanoTime()) && round + 1 < CoreOffers.MOST;
  }

  /**
   * The core was offered for a wait.
   *
   * @param found whether what the wait was for had come then
   */
  public void offered(boolean found) {
    offers.ended(found);
  }
}
