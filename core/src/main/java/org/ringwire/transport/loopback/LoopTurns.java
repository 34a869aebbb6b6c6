package org.ringwire.transport.loopback;

/**
 * Which writes of a link are worth leaving to the loop: those of many bytes, if bytes are handled
 * more slowly than they move to another core. How fast that is a sender finds out by doing it
 * itself, some times in a row, since the first times find caches that the loop has emptied; the
 * quickest counts. Then the loop has a series of turns, until a sender looks again.
 *
 * <p>Used by the thread that is inside {@link LoopbackLink#write} only.
 */
final class LoopTurns {

  /** Bytes that may be worth another thread, which takes some microseconds to wake. */
  static final long MUCH = 32 << 10;

  /** What is handled faster is better handled where it was written. */
  static final long BYTES_PER_NS = 8;

  /** Writes that a sender looks at before it decides. */
  static final int LOOKS = 4;

  /** Writes that may be left to the loop until a sender looks again. */
  static final int SERIES = 127;

  private int left;
  private int looks;
  private boolean quick;

  /** Whether it is the turn of the loop. */
  boolean isDue() {
    return left > 0;
  }

  /** The loop has taken its turn. */
  void taken() {
    left--;
  }

  /** A sender has handled so much itself. */
  void looked(long bytes, long tookNs) {
    quick |= tookNs <= bytes / BYTES_PER_NS;
    if (++looks >= LOOKS) {
      left = quick ? 0 : SERIES;
      looks = 0;
      quick = false;
    }
  }
}
