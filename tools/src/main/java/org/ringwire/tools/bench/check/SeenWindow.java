package org.ringwire.tools.bench.check;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which sequence numbers of one sender were seen: a window of bits that moves on with the sequence.
 *
 * <p>Any thread may mark. A word holds 32 bits of the window and the lap that they belong to, so
 * that one compare-and-set moves a word to its next lap and tells how many bits of the last lap
 * were never set. The window is larger than what can be under way between two nodes, so that no
 * message is a lap behind the newest one.
 */
final class SeenWindow {

  /** Sequence numbers per word. */
  static final int WORD = 32;

  private static final long ALL = 0xFFFF_FFFFL;

  private final AtomicLongArray words;
  private final int wordMask;
  private final int wordBits;
  private final AtomicLong seen = new AtomicLong();
  private final AtomicLong duplicated = new AtomicLong();

  /**
   * Sees nothing yet.
   *
   * @param wordBits logarithm of the number of words, 1 to 24
   */
  SeenWindow(int wordBits) {
    this.wordBits = wordBits;
    words = new AtomicLongArray(1 << wordBits);
    wordMask = (1 << wordBits) - 1;
  }

  /**
   * Marks sequence numbers of one word.
   *
   * @param word sequence number divided by {@link #WORD}
   * @param bits the bits of that word
   */
  void mark(long word, int bits) {
    int index = (int) word & wordMask;
    long lap = word >>> wordBits;
    long added = bits & ALL;
    while (true) {
      long old = words.get(index);
      long oldLap = old >>> 32;
      if (oldLap > lap) { // seen before, or so late that it counts as lost: never both
        duplicated.addAndGet(Long.bitCount(added));
        return;
      }
      long oldBits = oldLap == lap ? old & ALL : 0;
      if (words.compareAndSet(index, old, lap << 32 | oldBits | added)) {
        int twice = Long.bitCount(oldBits & added);
        seen.addAndGet(Long.bitCount(added) - twice);
        if (twice != 0) {
          duplicated.addAndGet(twice);
        }
        return;
      }
    }
  }

  /** Different sequence numbers seen so far. */
  long seen() {
    return seen.get();
  }

  /** Marks of sequence numbers that were seen already. */
  long duplicated() {
    return duplicated.get();
  }
}
