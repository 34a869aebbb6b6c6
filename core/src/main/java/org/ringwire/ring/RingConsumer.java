package org.ringwire.ring;

import static org.ringwire.ring.RingLayout.AHEAD;
import static org.ringwire.ring.RingLayout.CURSOR;
import static org.ringwire.ring.RingLayout.CUT_END;
import static org.ringwire.ring.RingLayout.CUT_MESSAGES;
import static org.ringwire.ring.RingLayout.HEADER;
import static org.ringwire.ring.RingLayout.RELEASED;
import static org.ringwire.ring.RingLayout.RESTARTING;
import static org.ringwire.ring.RingLayout.SCANNED;
import static org.ringwire.ring.RingLayout.SCANNED_MESSAGES;
import static org.ringwire.ring.RingLayout.SENT;
import static org.ringwire.ring.RingLayout.SENT_BYTES;
import static org.ringwire.ring.RingLayout.SENT_MESSAGES;
import static org.ringwire.ring.RingLayout.SETTLING;
import static org.ringwire.ring.RingLayout.TAIL;
import static org.ringwire.ring.RingLayout.UNCHARGED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.FrameLayout;

/**
 * The consumer's side of an {@link OutboundRing}. Its state is in the segment of the cursors, where
 * it shares no cache line with what producers read; it is accessed plainly, because the role is
 * handed over with a happens-before edge, but for the words that other threads read.
 *
 * <p>Invariant: {@code SENT <= SCANNED <= RELEASED + capacity}; from SENT to SCANNED there are only
 * whole committed frames to send (the first perhaps without the part that was sent already), in one
 * lap.
 */
public final class RingConsumer {

  /** A ring restarts beyond this offset, or beyond a quarter if it is small. */
  private static final long RESTART_OFFSET = 64 << 10;

  /** Changes while the ring rests only, as the next; see {@link OutboundRing#rest}. */
  private MemorySegment memory;

  private FrameMarks marks;

  private @Nullable ByteBuffer buffer;

  private final long[] cursors;
  private final long mask;
  private final long restartOffset;
  private final RingReclaimer reclaimer;

  RingConsumer(MemorySegment memory, FrameMarks marks, long[] cursors, long mask) {
    this.memory = memory;
    this.marks = marks;
    this.cursors = cursors;
    this.mask = mask;
    restartOffset = Math.min(RESTART_OFFSET, (mask + 1) >>> 2);
    reclaimer = new RingReclaimer(marks, cursors, mask);
  }

  /** While nobody else is in the ring's memory. */
  void use(MemorySegment newMemory, FrameMarks newMarks) {
    memory = newMemory;
    marks = newMarks;
    buffer = null;
    reclaimer.use(newMarks);
  }

  /** All of the memory; consumer only, which owns position and limit. */
  public ByteBuffer buffer() {
    ByteBuffer view = buffer;
    if (view == null) {
      view = memory.asByteBuffer();
      buffer = view;
    }
    return view;
  }

  long sent() {
    return (long) CURSOR.get(cursors, SENT);
  }

  /** Where the first byte is that was not sent. */
  public long sentOffset() {
    return sent() & mask;
  }

  /**
   * Looks for committed frames, skipping padding in front.
   *
   * @param maxBytes the search ends before a frame that would make it more, unless it is the first
   * @return bytes that may be sent from {@link #sentOffset()}: committed, contiguous, and up to the
   *     next frame that is open, padding or detached, or to the end of the memory
   */
  public long scan(long maxBytes) {
    long sent = sent();
    long scanned = (long) CURSOR.get(cursors, SCANNED);
    if (sent == scanned) {
      sent = skipPadding(sent);
      scanned = sent;
    }
    long limit = Math.min(RingLayout.nextLap(sent, mask), scanLimit());
    long end = sent + Math.min(maxBytes, mask + 1);
    limit = Math.min(limit, end);
    long messages = 0;
    while (scanned < limit) {
      long header = committed(scanned);
      if (header == 0 || FrameLayout.kind(header) >= FrameLayout.DETACHED) {
        break;
      }
      long following = scanned + RingLayout.occupied(header);
      if (following > end && scanned > sent) {
        break;
      }
      messages += RingLayout.messages(header);
      scanned = following;
    }
    if (messages != 0) {
      messages += (long) CURSOR.get(cursors, SCANNED_MESSAGES);
      CURSOR.set(cursors, SCANNED_MESSAGES, messages);
    }
    CURSOR.set(cursors, SCANNED, scanned);
    return scanned - sent;
  }

  /** As {@link FrameMarks#committed}. */
  private long committed(long position) {
    return marks.committed(position & mask);
  }

  /** Marks are those of this lap up to here: beyond may be frames that are not released. */
  private long scanLimit() {
    long released = (long) CURSOR.getAcquire(cursors, RELEASED); // pairs with completed
    return (released & -FrameLayout.ALIGNMENT) + mask + 1;
  }

  private long skipPadding(long from) {
    long position = from;
    while (position < scanLimit()) {
      long header = committed(position);
      if (FrameLayout.kind(header) != FrameLayout.PADDING) {
        break;
      }
      position = skip(position, RingLayout.occupied(header));
    }
    return position;
  }

  /** Passes a frame that is not sent from here. */
  private long skip(long position, long occupied) {
    long next = position + occupied;
    CURSOR.set(cursors, SCANNED, next);
    CURSOR.setRelease(cursors, SENT, next); // pairs with getAcquire in isEmpty
    reclaimer.skip(position, occupied);
    return next;
  }

  /**
   * Position of the {@link FrameLayout#DETACHED} frame that is next, if one is: all before it was
   * sent. Otherwise -1. Call {@link #scan} before.
   */
  public long detachedPosition() {
    long sent = sent();
    boolean detached =
        sent == (long) CURSOR.get(cursors, SCANNED)
            && sent < scanLimit()
            && FrameLayout.kind(committed(sent)) == FrameLayout.DETACHED;
    return detached ? sent : -1;
  }

  /** Passes the detached frame that is next, after what it stands for was sent. */
  public void skipDetached() {
    long position = detachedPosition();
    if (position == -1) {
      throw new IllegalStateException("next frame is not detached: position=" + sent());
    }
    skip(position, RingLayout.occupied(committed(position)));
  }

  /**
   * The medium took bytes, which may end inside of a frame.
   *
   * @param bytes at most what {@link #scan} returned
   */
  public void sent(long bytes) {
    long sent = sent();
    long scanned = (long) CURSOR.get(cursors, SCANNED);
    if (bytes < 0 || bytes > scanned - sent) {
      throw new IllegalArgumentException(
          "more sent than scanned: bytes=" + bytes + ", scanned=" + (scanned - sent));
    }
    long messages = (long) CURSOR.get(cursors, SCANNED_MESSAGES);
    if (bytes < scanned - sent) {
      messages = cut(sent, sent + bytes);
    }
    CURSOR.set(cursors, SCANNED_MESSAGES, (long) CURSOR.get(cursors, SCANNED_MESSAGES) - messages);
    CURSOR.setOpaque(cursors, SENT_MESSAGES, sentMessages() + messages);
    CURSOR.setOpaque(cursors, SENT_BYTES, sentBytes() + bytes);
    CURSOR.setRelease(cursors, SENT, sent + bytes); // pairs with getAcquire in isEmpty
  }

  /**
   * Finds the frame that was sent in part. Looks at marks from SENT on only: those before may be
   * cleared already.
   *
   * @return number of messages that end between the two positions
   */
  private long cut(long from, long to) {
    long messages = 0;
    long position = from;
    long cutEnd = (long) CURSOR.get(cursors, CUT_END);
    if (cutEnd > from) {
      if (cutEnd > to) {
        return 0;
      }
      messages = (long) CURSOR.get(cursors, CUT_MESSAGES);
      position = cutEnd;
    }
    while (position < to) {
      long header = committed(position);
      position += RingLayout.occupied(header);
      if (position <= to) {
        messages += RingLayout.messages(header);
      } else {
        CURSOR.set(cursors, CUT_END, position);
        CURSOR.set(cursors, CUT_MESSAGES, RingLayout.messages(header));
      }
    }
    return messages;
  }

  /**
   * Whether the next frame is committed, be it padding. The last holder of the role may also ask
   * after it has given the role back: if another thread holds it by then, the answer means nothing,
   * but that thread will look for itself.
   *
   * <p>Also called right after the role was given back: then another holder may be at work, or the
   * ring even have been sent empty and put to rest since. So it looks at nothing but marks.
   */
  public boolean hasCommitted() {
    long scanned = (long) CURSOR.getOpaque(cursors, SCANNED);
    if (scanned != (long) CURSOR.getOpaque(cursors, SENT)) {
      return true;
    }
    return scanned < scanLimit() && FrameMarks.isCommitted(marks.get(scanned & mask));
  }

  /**
   * Position of the next frame if it is claimed but not committed, else -1. The same answer twice
   * means that its producer has been encoding in between.
   */
  public long oldestOpenClaim() {
    long scanned = (long) CURSOR.get(cursors, SCANNED);
    boolean open =
        scanned < ((long) CURSOR.getVolatile(cursors, TAIL) & RingLayout.POSITION)
            && !FrameMarks.isCommitted(marks.get(scanned & mask));
    return open ? scanned : -1;
  }

  /**
   * Type id of the frame that {@link #oldestOpenClaim} found, or -1 if it was not marked; any id if
   * a peer has written to the memory.
   */
  public int openType() {
    long offset = (long) CURSOR.get(cursors, SCANNED) & mask;
    return marks.get(offset) == FrameMarks.OPEN
        ? FrameLayout.type((long) HEADER.get(memory, offset))
        : -1;
  }

  /**
   * Goes on at the beginning of the memory if the ring is empty, everything is released, and it is
   * worth it, so that a ring that empties often uses few cache lines.
   *
   * <p>Moves the tail first, so that a producer that claims in between keeps this lap going;
   * RELEASED last, so that producers see at most too little room, which they do not believe while
   * RESTARTING is set. That no byte is in use makes this thread the only one to write RELEASED.
   *
   * @return whether the position moved
   */
  public boolean restart() {
    return restart(restartOffset);
  }

  /**
   * As {@link #restart}, if little of what was sent is not completed yet: where a medium completes
   * late, a ring that carries one frame at a time would never be found empty, and go through all of
   * its memory, each line of which comes from far. What is left of the lap is skipped, and released
   * after what was sent. Until then there is room for a few frames only: at the beginning of the
   * memory, up to where this lap is released. So the holder of the role calls this while there is
   * little to send, and who finds no room asks the medium for its completions, see {@link
   * #restartsAhead}.
   *
   * <p>RESTARTING is set until the skip is known, hence released if all before it is: who finds too
   * little room after that is told of more by whoever completes what was sent.
   *
   * @return whether the position moved
   */
  public boolean restartAhead() {
    long position = sent();
    long released = (long) CURSOR.getAcquire(cursors, RELEASED);
    if (released - (position & ~mask) < restartOffset
        || position == released
        || position - released > restartOffset / 2
        || position != ((long) CURSOR.getVolatile(cursors, TAIL) & RingLayout.POSITION)
        || reclaimer.hasSkips()) {
      return false;
    }
    CURSOR.setVolatile(cursors, AHEAD, (long) CURSOR.get(cursors, AHEAD) + 2);
    return moveToNextLap(position, false);
  }

  /**
   * Odd while a claim may find too little room because the ring has restarted ahead of its
   * completions; and greater after each time that it has. Who reads this before a claim that finds
   * none, and after it, and finds it odd or changed, has to ask for the completions. Any thread.
   */
  public long restartsAhead() {
    return (long) CURSOR.getVolatile(cursors, AHEAD) | (reclaimer.hasSkips() ? 1 : 0);
  }

  /**
   * Whether the ring is empty, all of it released, and at the beginning of its memory, or now is.
   */
  boolean rewind() {
    long position = sent();
    return (position & mask) == 0
        ? position == (long) CURSOR.getAcquire(cursors, RELEASED)
        : restart(1);
  }

  private boolean restart(long leastOffset) {
    long position = sent();
    if ((position & mask) < leastOffset
        || position != (long) CURSOR.getAcquire(cursors, RELEASED)
        || position != ((long) CURSOR.getVolatile(cursors, TAIL) & RingLayout.POSITION)) {
      return false;
    }
    return moveToNextLap(position, true);
  }

  private boolean moveToNextLap(long position, boolean released) {
    long next = RingLayout.nextLap(position, mask);
    CURSOR.setVolatile(cursors, RESTARTING, 1L); // pairs with RingShortage#lacksRoom
    RingLayout.add(cursors, SETTLING, 1);
    boolean moved = CURSOR.compareAndSet(cursors, TAIL, position, next);
    if (moved) {
      RingLayout.add(cursors, UNCHARGED, next - position);
      CURSOR.set(cursors, SCANNED, next);
      CURSOR.setRelease(cursors, SENT, next);
      if (released) {
        CURSOR.setVolatile(cursors, RELEASED, next);
      } else {
        reclaimer.skipUnused(position, next);
      }
    }
    RingLayout.add(cursors, SETTLING, -1);
    CURSOR.setVolatile(cursors, RESTARTING, 0L);
    return moved;
  }

  /** Messages and requests sent to their last byte, without detached ones; any thread. */
  public long sentMessages() {
    return (long) CURSOR.getOpaque(cursors, SENT_MESSAGES);
  }

  /** As {@link #sentMessages()}, with the one that was sent in part, if any. */
  public long startedMessages() {
    boolean cut = (long) CURSOR.get(cursors, CUT_END) > sent();
    return sentMessages() + (cut ? (long) CURSOR.get(cursors, CUT_MESSAGES) : 0);
  }

  /** Bytes of the ring that were sent; any thread. */
  public long sentBytes() {
    return (long) CURSOR.getOpaque(cursors, SENT_BYTES);
  }

  /**
   * Messages and requests that are committed and of which not a byte was sent, without detached
   * ones. Exact once the ring is sealed and {@link #isCommitted}.
   */
  public long countUnsentMessages() {
    long tail = (long) CURSOR.getVolatile(cursors, TAIL) & RingLayout.POSITION;
    long position = Math.max(sent(), (long) CURSOR.get(cursors, CUT_END));
    long messages = 0;
    while (position < tail) {
      long header = committed(position);
      if (header == 0) {
        break;
      }
      messages += RingLayout.messages(header);
      position += RingLayout.occupied(header);
    }
    return messages;
  }

  /**
   * Whether no claim is open: every producer that had claimed has committed or aborted. Looks at
   * every frame that was not sent.
   */
  public boolean isCommitted() {
    long tail = (long) CURSOR.getVolatile(cursors, TAIL) & RingLayout.POSITION;
    long position = Math.max(sent(), (long) CURSOR.get(cursors, CUT_END));
    while (position < tail) {
      long header = committed(position);
      if (header == 0) {
        return false;
      }
      position += RingLayout.occupied(header);
    }
    return true;
  }

  /**
   * The medium will not read the next so many sent bytes again: releases them. One thread at a
   * time, the completer, each call after the call of {@link #sent} that it belongs to.
   */
  public void completed(long bytes) {
    reclaimer.completed(bytes);
  }
}
