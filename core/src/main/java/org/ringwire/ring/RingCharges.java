package org.ringwire.ring;

import static org.ringwire.ring.RingLayout.CURSOR;
import static org.ringwire.ring.RingLayout.RELEASED;
import static org.ringwire.ring.RingLayout.SETTLING;
import static org.ringwire.ring.RingLayout.TAIL;
import static org.ringwire.ring.RingLayout.UNCHARGED;

import org.ringwire.wire.FrameLayout;

/**
 * Charges to the window for memory outside of an {@link OutboundRing}, whose class comment has the
 * argument: UNCHARGED is lowered first, and then the tail moves over a mark of 8 bytes, so that
 * claims which have read the higher value fail. Any thread.
 */
final class RingCharges {

  private static final int MARK_LENGTH = FrameLayout.HEADER_LENGTH;

  private final OutboundRing ring;
  private final RingShortage shortage;
  private final long[] cursors;

  RingCharges(OutboundRing ring, RingShortage shortage, long[] cursors) {
    this.ring = ring;
    this.shortage = shortage;
    this.cursors = cursors;
  }

  /** {@link OutboundRing#tryCharge}. */
  boolean tryCharge(long bytes, long granted) {
    while (!shortage.lacksCredit(bytes, granted)) {
      RingLayout.add(cursors, SETTLING, 1);
      try {
        long uncharged = (long) CURSOR.getVolatile(cursors, UNCHARGED);
        long tail = (long) CURSOR.getVolatile(cursors, TAIL);
        if (tail + bytes - uncharged > granted
            || !CURSOR.compareAndSet(cursors, UNCHARGED, uncharged, uncharged - bytes)) {
          continue;
        }
        long mark = OutboundRing.FULL; // also if there is no heap for its marks
        try {
          mark = claimMark(granted);
        } finally {
          if (mark < 0) {
            RingLayout.add(cursors, UNCHARGED, bytes);
          }
        }
        if (mark >= 0) {
          ring.commitOpen(mark, OutboundRing.padding(MARK_LENGTH));
          RingLayout.add(cursors, UNCHARGED, MARK_LENGTH);
          return true;
        }
        if (mark == OutboundRing.FULL) {
          return false;
        }
      } finally {
        RingLayout.add(cursors, SETTLING, -1);
      }
    }
    return false;
  }

  /** Claims 8 bytes if the credit, from which the charge was taken already, still suffices. */
  private long claimMark(long granted) {
    while (true) {
      long tail = (long) CURSOR.getVolatile(cursors, TAIL);
      if (tail - (long) CURSOR.getVolatile(cursors, UNCHARGED) > granted) {
        return OutboundRing.NO_CREDIT;
      }
      long end = tail + MARK_LENGTH;
      if (end - (long) CURSOR.getAcquire(cursors, RELEASED) > ring.capacity()
          && shortage.lacksRoom(end)) {
        return OutboundRing.FULL;
      }
      ring.provideMarks(tail);
      if (CURSOR.compareAndSet(cursors, TAIL, tail, end)) {
        return tail;
      }
    }
  }
}
