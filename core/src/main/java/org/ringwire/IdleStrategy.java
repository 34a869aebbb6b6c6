package org.ringwire;

/**
 * How threads wait: decided once per node. A wait first spins for a bounded time, if it may, and
 * then parks until it is woken. A thread that is idle for long always parks: an idle node costs
 * nothing. On a single core, whatever the strategy, a thread that waits for input of a link offers
 * the core to others a few times before it parks, as long as its input mostly comes by that: then
 * nobody need be woken. On more cores, whatever the strategy, an I/O thread that has just read much
 * pauses for up to 30 us to let more gather, as long as more mostly comes.
 *
 * @param spinNs longest time that one wait spins before it parks, in nanoseconds; 0 never spins
 * @param adapts whether the library finds out for each wait whether it spins at all
 */
public record IdleStrategy(long spinNs, boolean adapts) {

  /** About what it costs to park and to be woken: whoever spins as long loses half at most. */
  private static final long ADAPTIVE_NS = 50_000;

  /** Validates the range. */
  public IdleStrategy {
    if (spinNs < 0) {
      throw new IllegalArgumentException("spinNs must not be negative: spinNs=" + spinNs);
    }
  }

  /**
   * Spins for the same time in each wait, whatever else the process does.
   *
   * @param spinNs longest time that one wait spins before it parks, in nanoseconds; 0 never spins
   */
  public IdleStrategy(long spinNs) {
    this(spinNs, false);
  }

  /**
   * Spins for up to 50 us per wait while the process has no more active threads than cores, and
   * where spinning has paid off lately; parks at once otherwise, and goes from one to the other by
   * itself: the default. Cores are those of the container, with the fraction that its {@code
   * cpu.max} allows, and may change; with less than two of them it never spins.
   */
  public static IdleStrategy adaptive() {
    return new IdleStrategy(ADAPTIVE_NS, true);
  }

  /** Never spins: the least use of processors. */
  public static IdleStrategy parking() {
    return new IdleStrategy(0);
  }

  /**
   * Spins for up to a millisecond per wait, where the process may use two cores or more; parks at
   * once on a single core, because there spinning only keeps away the thread that is waited for.
   * For processes that have their cores to themselves, and more of them than busy threads.
   */
  public static IdleStrategy spinning() {
    return Runtime.getRuntime().availableProcessors() < 2 ? parking() : new IdleStrategy(1_000_000);
  }

  /** Whether waits may spin. */
  public boolean spins() {
    return spinNs > 0;
  }
}
