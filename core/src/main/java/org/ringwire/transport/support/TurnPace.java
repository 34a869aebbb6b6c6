package org.ringwire.transport.support;

/**
 * How much of a link's input its handler is given at a time, so that the other links of a thread
 * have their turns though the handlers of this one are slow: as much as has taken the time of a
 * turn, {@value #TURN_NS} ns, at most. What is left stays in the medium, where nothing has to be
 * kept for it and the end of the link is found behind it. (What was in a TLS record cannot: {@code
 * LinkHandler.hasRest}.)
 *
 * <p>How long a byte takes is known only afterwards. So a link begins with little, and may have
 * twice as much each time that it had all that it may have and was far from a turn; what was too
 * slow is cut in proportion. Whoever hands over looks at the clock once a piece, and not at all
 * where a short one was all that there is ({@link #isTimed}).
 *
 * <p>Used by one thread at a time, who reads the link.
 */
public final class TurnPace {

  /** A turn ends with the first piece after so long, in nanoseconds. */
  public static final long TURN_NS = 1_000_000;

  /** Bytes of the first piece of a link. */
  public static final int FIRST = 4 << 10;

  /** Bytes of one that need not be timed: a few messages, if they are as small as can be. */
  static final int UNTIMED = 512;

  /** Bytes that are handed over at a time at most. */
  public static final int MOST = 256 << 10;

  /** About one message; what is cut finer only waits for its rest. */
  static final int LEAST = 64;

  private int amount = FIRST;
  private long turnNs;
  private long pieceNs;

  /** Of a new link. */
  public TurnPace() {}

  /** Bytes of the next piece, at most. */
  public int amount() {
    return amount;
  }

  /** Whether a piece of so many bytes is worth a look at the clock. */
  public boolean isTimed(long bytes) {
    return bytes > UNTIMED || bytes >= amount;
  }

  /** A turn begins, with its first piece. */
  public void begin(long nowNs) {
    turnNs = nowNs;
    pieceNs = nowNs;
  }

  /**
   * A piece was handled.
   *
   * @return whether another one may follow in this turn
   */
  public boolean handled(long bytes, long nowNs) {
    long tookNs = nowNs - pieceNs;
    if (tookNs > TURN_NS) {
      amount = Math.clamp(bytes * TURN_NS / tookNs, LEAST, amount);
    } else if (bytes >= amount && tookNs <= TURN_NS / 4) {
      amount = Math.min(2 * amount, MOST);
    }
    return goesOn(nowNs);
  }

  /** What was in the last piece has taken longer than handing it over. */
  public void slower() {
    amount = Math.max(LEAST, amount / 2);
  }

  /** The same as {@link #handled}, of bytes that tell nothing of how slow the others are. */
  public boolean goesOn(long nowNs) {
    pieceNs = nowNs;
    return nowNs - turnNs < TURN_NS;
  }
}
