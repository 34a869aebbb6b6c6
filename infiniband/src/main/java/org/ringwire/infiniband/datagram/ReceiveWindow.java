package org.ringwire.infiniband.datagram;

import org.jspecify.annotations.Nullable;

/**
 * Puts what arrives into order. What is ahead of its turn is held, by a number that the caller
 * knows it by; numbers that are {@value SendWindow#MOST} ahead or more are refused. One thread at a
 * time.
 */
final class ReceiveWindow {

  private static final int MASK = SendWindow.MOST - 1;

  private final long[] arrived = new long[SendWindow.MOST / Long.SIZE]; // by slot
  private int @Nullable [] held; // by slot
  private long next;
  private long end; // behind the highest number that has arrived

  /** Where a number stands. */
  Arrival look(int low) {
    long ahead = Sequence.expand(low, next) - next;
    if (ahead < 0 || (ahead < SendWindow.MOST && has(next + ahead))) {
      return Arrival.DUPLICATE;
    }
    if (ahead >= SendWindow.MOST) {
      return Arrival.BEYOND;
    }
    return ahead == 0 ? Arrival.NEXT : Arrival.AHEAD;
  }

  private boolean has(long number) {
    int slot = (int) number & MASK;
    return (arrived[slot >>> 6] & 1L << slot) != 0;
  }

  /** The next one is there. */
  void advance() {
    next++;
    end = Math.max(end, next);
  }

  /** One that is ahead is held. */
  void hold(int low, int holder) {
    int[] holders = held;
    if (holders == null) {
      holders = new int[SendWindow.MOST];
      held = holders;
    }
    long number = Sequence.expand(low, next);
    int slot = (int) number & MASK;
    arrived[slot >>> 6] |= 1L << slot;
    holders[slot] = holder;
    end = Math.max(end, number + 1);
  }

  /** The one that is next, if it was held, or -1; {@link #advance} follows. */
  int takeNext() {
    return has(next) ? take(next) : -1;
  }

  private int take(long number) {
    int slot = (int) number & MASK;
    arrived[slot >>> 6] &= ~(1L << slot);
    int[] holders = held;
    return holders == null ? -1 : holders[slot];
  }

  /** Any that is held, or -1: when there is no use for it any more. */
  int takeAny() {
    for (long number = next; number < end; number++) {
      if (has(number)) {
        return take(number);
      }
    }
    return -1;
  }

  /** The number that comes next. */
  long next() {
    return next;
  }

  /** Whether something is held. */
  boolean hasGaps() {
    return end > next;
  }

  /** Writes what is held into an acknowledgement. */
  void write(Datagram to) {
    int bits = (int) Math.max(0, end - next - 1);
    to.wordCount = (bits + Long.SIZE - 1) / Long.SIZE;
    for (int word = 0; word < to.wordCount; word++) {
      to.words[word] = 0;
    }
    for (int bit = 0; bit < bits; bit++) {
      if (has(next + 1 + bit)) {
        to.words[bit >>> 6] |= 1L << bit;
      }
    }
  }
}
