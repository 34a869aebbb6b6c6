package org.ringwire.ring;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.ringwire.wire.FrameLayout;

/**
 * Where the words of an {@link OutboundRing} are, and how they are accessed. Cursors that different
 * roles write lie 128 bytes apart, two cache lines, because processors fetch lines in pairs. What
 * one role alone uses lies together.
 */
final class RingLayout {

  /** Frame headers: little-endian words in the ring's memory, at multiples of 8. */
  static final VarHandle HEADER =
      JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();

  /**
   * Cursors, at the indices below. They are on the heap, where an access costs no more than a
   * compare of the index, while one of native memory also looks whether that is still there.
   */
  static final VarHandle CURSOR =
      MethodHandles.arrayElementVarHandle(long[].class).withInvokeExactBehavior();

  private static final int SPACING = 128 / Long.BYTES;

  /** End of what is claimed. Producers, and the consumer when it restarts: compare-and-set. */
  static final int TAIL = SPACING; // what lies before the array may be anybody's

  /** Claimed bytes that are not charged to the window. Any thread: atomic addition. */
  static final int UNCHARGED = 2 * SPACING;

  /** Number of threads between moving the tail and adding to UNCHARGED. */
  static final int SETTLING = UNCHARGED + 1;

  /** End of what was sent; written by the consumer. */
  static final int SENT = 3 * SPACING;

  /** End of what is known to be committed; consumer only, as all that follow. */
  static final int SCANNED = SENT + 1;

  /** End of the frame that was sent in part, or at most SENT if none was. */
  static final int CUT_END = SENT + 2;

  /** 1 if the frame that was sent in part is a message, else 0. */
  static final int CUT_MESSAGES = SENT + 3;

  /** Messages that end between SENT and SCANNED. */
  static final int SCANNED_MESSAGES = SENT + 4;

  /** Messages sent to their last byte; read by any thread. */
  static final int SENT_MESSAGES = SENT + 5;

  /** Bytes sent; read by any thread. */
  static final int SENT_BYTES = SENT + 6;

  /** End of what may be claimed again, less the capacity; written by whoever completes. */
  static final int RELEASED = 4 * SPACING;

  /** 1 while the tail is in the next lap and RELEASED not yet. */
  static final int RESTARTING = RELEASED + 1;

  /** Position of the first skip that is not released, {@link Long#MAX_VALUE} if there is none. */
  static final int FIRST_SKIP = RELEASED + 2;

  /** Twice the number of restarts ahead of completions; written by the consumer. */
  static final int AHEAD = RELEASED + 3;

  private static final int LENGTH = 5 * SPACING;

  /** Added to the tail to refuse claims; no position comes near it. */
  static final long SEALED = 1L << 62;

  /** Added to the tail while the ring rests without memory; no position comes near it. */
  static final long RESTING = 1L << 61;

  /** The bits of the tail that are a position. */
  static final long POSITION = RESTING - 1;

  private RingLayout() {}

  /** The cursors of an empty ring. */
  static long[] newCursors() {
    return new long[LENGTH];
  }

  /** Adds to a cursor atomically, a volatile access, and returns the sum. */
  static long add(long[] cursors, int cursor, long amount) {
    return (long) CURSOR.getAndAdd(cursors, cursor, amount) + amount;
  }

  /** Bytes that a frame occupies. */
  static long occupied(long header) {
    return FrameLayout.occupied(FrameLayout.length(header));
  }

  /** 1 for a frame that counts as a message, else 0. */
  static long messages(long header) {
    int kind = FrameLayout.kind(header);
    return kind == FrameLayout.MESSAGE || kind == FrameLayout.REQUEST ? 1 : 0;
  }

  /** Where a frame would begin: at the tail, or in the next lap if too little is left of this. */
  static long start(long tail, long occupied, long mask) {
    return occupied <= mask + 1 - (tail & mask) ? tail : nextLap(tail, mask);
  }

  /** Whether the ring has no memory now; a volatile read. */
  static boolean isResting(long[] cursors) {
    return ((long) CURSOR.getVolatile(cursors, TAIL) & RESTING) != 0;
  }

  /** Moves the tail beyond what can ever be released, if it is not there. */
  static void seal(long[] cursors) {
    long tail = (long) CURSOR.getVolatile(cursors, TAIL);
    while (tail < SEALED) {
      long witness = (long) CURSOR.compareAndExchange(cursors, TAIL, tail, tail + SEALED);
      if (witness == tail) {
        return;
      }
      tail = witness;
    }
  }

  /** First position of the lap after the one that a position is in. */
  static long nextLap(long position, long mask) {
    return (position | mask) + 1;
  }
}
