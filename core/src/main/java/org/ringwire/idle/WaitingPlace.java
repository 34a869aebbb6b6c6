package org.ringwire.idle;

import org.ringwire.IdleStrategy;

/**
 * Decides for a place where threads wait, one wait at a time, how long to spin before parking.
 *
 * <p>A strategy with a fixed time has that time. An adaptive one spins if the process has cores for
 * it ({@link Load}) and if spinning has paid off here lately: after some waits in a row that were
 * longer than their spinning, the place spins only now and then, more and more rarely, to find out
 * whether that has changed; the first success ends it. So a wait costs at most twice what it would
 * cost who knows beforehand how long it takes, since spinning lasts about as long as parking and
 * waking cost, and a place where nothing happens soon costs next to nothing.
 *
 * <p>Made for one thread at a time. Several threads may share a place: what they have learned is
 * then a mixture of guesses, and an update may get lost; nothing but the decision depends on it.
 */
public final class WaitingPlace {

  /** Waits in a row for which spinning was in vain, before the place skips some. */
  private static final int PATIENCE = 4;

  /** Waits that are skipped at most: 2 to this. */
  private static final int MOST_SHIFT = 8;

  private final IdleStrategy strategy;
  private final Load load;
  private int inVain;
  private int skips;

  WaitingPlace(IdleStrategy strategy, Load load) {
    this.strategy = strategy;
    this.load = load;
  }

  /** A place of this process. */
  public static WaitingPlace of(IdleStrategy strategy) {
    return new WaitingPlace(strategy, Load.PROCESS);
  }

  /** Whether waits may spin at all, now or later. */
  public boolean spins() {
    return strategy.spins();
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
    if (!load.maySpin(nowNs)) {
      return 0;
    }
    if (skips > 0) {
      skips--;
      return 0;
    }
    return strategy.spinNs();
  }

  /** Whether a thread that spins may go on. */
  public boolean mayGoOn(long nowNs) {
    return !strategy.adapts() || load.maySpin(nowNs);
  }

  /** What a wait was for has come while it was spinning. */
  public void succeeded() {
    if (inVain != 0) {
      inVain = 0;
      skips = 0;
    }
  }

  /** A wait has spun in vain. */
  public void failed() {
    if (++inVain >= PATIENCE) {
      skips = 1 << Math.min(inVain - PATIENCE, MOST_SHIFT);
    }
  }

  /** A thread that spins here has read the clock twice in a row. */
  public void gap(long beforeNs, long nowNs) {
    load.gap(beforeNs, nowNs);
  }
}
