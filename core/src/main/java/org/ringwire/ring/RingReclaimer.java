package org.ringwire.ring;

import static org.ringwire.ring.RingLayout.CURSOR;
import static org.ringwire.ring.RingLayout.FIRST_SKIP;
import static org.ringwire.ring.RingLayout.RELEASED;

import java.util.Arrays;
import org.ringwire.wire.FrameLayout;

/**
 * Gives the memory of an {@link OutboundRing} back: what the medium has completed, and what is
 * skipped because it is never sent (padding, aborted frames, detached ones, what is left of a lap
 * when the ring restarts ahead of its completions). The completer calls {@link #completed}; the
 * consumer calls {@link #skip}, at a time when earlier bytes may still be with the medium. Skips
 * wait in a list, which only a medium that completes late makes longer than one; its lock is taken
 * once per skip, never per frame or write.
 *
 * <p>Outside of the lock only the completer writes RELEASED, up to the first skip at most; within
 * it, whoever finds RELEASED at the first skip. That none is forgotten: the completer stores
 * RELEASED and then reads FIRST_SKIP, the consumer stores FIRST_SKIP and then reads RELEASED, all
 * volatile, so one of them sees the other. That no two write RELEASED at once: bytes behind a skip
 * are sent, hence completed, only after {@link #skip} has returned.
 */
final class RingReclaimer {

  private static final long NONE = Long.MAX_VALUE;

  /** Words of a skip. */
  private static final int WORDS = 3;

  private FrameMarks marks;
  private final long[] cursors;
  private final long mask;

  /** Of each skip in order: begin, end of what was written, end; guarded by this. */
  private long[] skips = new long[4 * WORDS];

  /** Number of words in use; guarded by this. */
  private int count;

  RingReclaimer(FrameMarks marks, long[] cursors, long mask) {
    this.marks = marks;
    this.cursors = cursors;
    this.mask = mask;
    CURSOR.setVolatile(cursors, FIRST_SKIP, NONE);
  }

  /** While the ring is empty and all of it released. */
  void use(FrameMarks newMarks) {
    marks = newMarks;
  }

  /**
   * Completer: clears the marks of sent bytes, and releases them, and the skips that they reach.
   */
  void completed(long bytes) {
    long released = (long) CURSOR.getAcquire(cursors, RELEASED);
    long rest = bytes;
    do {
      long skip = (long) CURSOR.getVolatile(cursors, FIRST_SKIP);
      long end = Math.min(released + rest, skip);
      clearMarks(released, end);
      rest -= end - released;
      CURSOR.setVolatile(cursors, RELEASED, end); // pairs with getAcquire in tryClaim, scan
      released = end;
      if (end == skip || end == (long) CURSOR.getVolatile(cursors, FIRST_SKIP)) {
        released = releaseSkips();
      }
    } while (rest > 0);
  }

  /** Consumer: a frame of so many bytes is passed without being sent. */
  synchronized void skip(long position, long occupied) {
    add(position, position + occupied, position + occupied);
  }

  /** Consumer: what nobody has claimed is passed up to a position. */
  synchronized void skipUnused(long position, long end) {
    add(position, position, end);
  }

  /** With the lock. */
  private void add(long position, long writtenEnd, long end) {
    int last = count - WORDS;
    if (last >= 0 && skips[last + 2] == position && skips[last + 1] == position) {
      skips[last + 1] = writtenEnd;
      skips[last + 2] = end;
    } else {
      if (count == skips.length) {
        skips = Arrays.copyOf(skips, 2 * count);
      }
      skips[count] = position;
      skips[count + 1] = writtenEnd;
      skips[count + 2] = end;
      count += WORDS;
    }
    CURSOR.setVolatile(cursors, FIRST_SKIP, skips[0]);
    releaseSkips();
  }

  /** Whether a skip waits for what precedes it; any thread, a volatile read. */
  boolean hasSkips() {
    return (long) CURSOR.getVolatile(cursors, FIRST_SKIP) != NONE;
  }

  /** Releases the skips that nothing unreleased precedes, and returns the new RELEASED. */
  private synchronized long releaseSkips() {
    long released = (long) CURSOR.getVolatile(cursors, RELEASED);
    while (count > 0 && skips[0] == released) {
      clearMarks(released, skips[1]);
      released = skips[2];
      count -= WORDS;
      System.arraycopy(skips, WORDS, skips, 0, count);
      CURSOR.setVolatile(cursors, FIRST_SKIP, count == 0 ? NONE : skips[0]);
      CURSOR.setVolatile(cursors, RELEASED, released); // pairs with getAcquire in tryClaim, scan
    }
    return released;
  }

  /** Of the frames that begin in a part of the ring, which may lie in two laps. */
  private void clearMarks(long from, long to) {
    long position = FrameLayout.occupied(from);
    long last = FrameLayout.occupied(to);
    while (position < last) {
      long end = Math.min(last, RingLayout.nextLap(position, mask));
      long offset = position & mask;
      marks.clear(offset, offset + end - position);
      position = end;
    }
  }
}
