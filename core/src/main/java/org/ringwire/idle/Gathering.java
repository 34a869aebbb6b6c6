package org.ringwire.idle;

/**
 * Lets input that comes in bulk gather before its reader sleeps.
 *
 * <p>A reader that is quicker than its writer finds nothing more after each piece, sleeps, and is
 * woken by the next one: a few microseconds of the writer's processor each time, which make it
 * slower still. If the reader waits for as long without sleeping, nobody has to wake it. It must
 * not look at the medium meanwhile, as one that spins does: each look at a socket takes the lock
 * that the writer's packets need, and brings little pieces where larger ones would have come soon.
 *
 * <p>So after a round that brought {@link #BULK} bytes or more the reader does nothing for {@link
 * #PAUSE_NS}, looks, and again, {@link #MOST} times at most. That is less than what it took to read
 * so much; where there was nothing then, it is tried ever more rarely ({@link Trial}), and where
 * others want the core, it is left for a while ({@link LateReturns}). On a single core it would
 * only keep away the writer.
 *
 * <p>Made for one thread.
 */
public final class Gathering {

  /** Bytes of a round that make it bulk: requests and answers of a crowd of threads are less. */
  public static final int BULK = 32 << 10;

  /** Between two looks, in nanoseconds: about what a writer needs for one segment of 64 KiB. */
  static final long PAUSE_NS = 10_000;

  /** Pauses in a row without input: a segment of small messages takes its writer 40 us. */
  static final int MOST = 3;

  private final Load load;
  private final Trial trial = new Trial();
  private final LateReturns returns = new LateReturns();
  private long bytes;

  Gathering(Load load) {
    this.load = load;
  }

  /** Of a thread of this process. */
  public static Gathering ofProcess() {
    return new Gathering(Load.PROCESS);
  }

  /**
   * The round has brought something.
   *
   * @param length bytes
   */
  public void brought(long length) {
    bytes += length;
  }

  /**
   * The round ends: whether to wait for more. {@link #pause} follows if so, until it says no or
   * there is some, and then {@link #ended}.
   */
  public boolean isDue() {
    if (bytes == 0) {
      return false;
    }
    boolean bulk = bytes >= BULK;
    bytes = 0;
    return bulk && isDue(System.nanoTime());
  }

  /** The same after a round of bulk. */
  boolean isDue(long nowNs) {
    return !load.hasSingleCore() && !returns.isCalm(nowNs) && trial.isDue();
  }

  /**
   * Waits until it is time to look; the calling thread keeps its core.
   *
   * @param round how often this was called for the same wait
   * @return whether it may be called again for this wait, if there is nothing yet
   */
  public boolean pause(int round) {
    long beforeNs = System.nanoTime();
    long nowNs = beforeNs;
    while (nowNs - beforeNs < PAUSE_NS) {
      Pause.look();
      nowNs = System.nanoTime();
    }
    return paused(beforeNs, nowNs) && round + 1 < MOST;
  }

  /** A pause is over; returns whether it was not longer than it should be. */
  boolean paused(long beforeNs, long nowNs) {
    return returns.returned(beforeNs, nowNs);
  }

  /**
   * The wait is over.
   *
   * @param found whether something has come
   */
  public void ended(boolean found) {
    if (found) {
      trial.succeeded();
    } else {
      trial.failed();
    }
  }
}
