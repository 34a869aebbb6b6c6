package org.ringwire;

/**
 * How threads wait: decided once per node. A wait first spins for a bounded time, if there are
 * cores to spin on, and then parks until it is woken. A thread that is idle for long always parks:
 * an idle node costs nothing.
 *
 * @param spinNs longest time that one wait spins before it parks, in nanoseconds; 0 never spins
 */
public record IdleStrategy(long spinNs) {

  /** Validates the range. */
  public IdleStrategy {
    if (spinNs < 0) {
      throw new IllegalArgumentException("spinNs must not be negative: spinNs=" + spinNs);
    }
  }

  /** Parks at once: the default. */
  public static IdleStrategy parking() {
    return new IdleStrategy(0);
  }

  /**
   * Spins for up to a millisecond per wait, where the process may use two cores or more; parks at
   * once on a single core, because there spinning only keeps away the thread that is waited for.
   */
  public static IdleStrategy spinning() {
    return Runtime.getRuntime().availableProcessors() < 2 ? parking() : new IdleStrategy(1_000_000);
  }

  /** Whether waits spin at all. */
  public boolean spins() {
    return spinNs > 0;
  }
}
