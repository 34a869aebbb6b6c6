package org.ringwire.ring;

import static org.ringwire.ring.RingLayout.CURSOR;
import static org.ringwire.ring.RingLayout.HEADER;
import static org.ringwire.ring.RingLayout.RELEASED;
import static org.ringwire.ring.RingLayout.SENT;
import static org.ringwire.ring.RingLayout.SETTLING;
import static org.ringwire.ring.RingLayout.TAIL;
import static org.ringwire.ring.RingLayout.UNCHARGED;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.FrameLayout;

/**
 * The frames that wait to be written to one connection. Many producers (any thread), one consumer
 * (whoever holds the role, which is handed over with a happens-before edge), and one completer at a
 * time, often the consumer.
 *
 * <p><b>Frames.</b> A producer claims contiguous bytes with one compare-and-set of the tail,
 * encodes its frame in place, and commits by one release store of the frame's mark ({@link
 * FrameMarks}), which the consumer's acquiring read pairs with: its last access. No producer waits
 * for another. A frame never wraps: what is left at the end of the memory becomes padding, claimed
 * by the same compare-and-set. Positions are 64-bit and only grow; {@link #offset} is their place
 * in memory.
 *
 * <p><b>Free space has no marks.</b> Three positions make it so: bytes below <em>sent</em> were
 * taken by the medium; of bytes that it has <em>completed</em>, which it will not read again, the
 * marks are cleared; after that {@code RELEASED} is stored, which a claim reads before it can
 * succeed. Claims end at most one capacity above {@code RELEASED}, and the consumer looks no
 * further than that, so it never takes an old mark for a new one. What is in free memory is of no
 * account.
 *
 * <p><b>Credit.</b> What is charged to the window is {@code tail - UNCHARGED}; the second cursor
 * counts padding, restarts, aborted frames and frames that are exempt. A claim reads the tail, then
 * {@code UNCHARGED}, compares with the limit, and then moves the tail. {@code UNCHARGED} grows only
 * <em>after</em> the tail has moved over the bytes in question. So if the claim saw an increase
 * that belongs to bytes above the tail it read, the tail has moved and its compare-and-set fails;
 * every claim that succeeds has checked against bytes below its own position, and the limit is
 * never exceeded. A charge for memory outside of the ring ({@link #tryCharge}) lowers {@code
 * UNCHARGED} first and then moves the tail too, so that claims which read the higher value fail
 * likewise.
 *
 * <p><b>No refusal without a reason.</b> In between, a claim might find too little credit or room
 * although there is enough. A claim about to be refused asks {@link RingShortage}; whoever is in
 * between is counted in {@code SETTLING} for that, from before it moves the tail. Credit that comes
 * back by {@link #abort} or {@link #uncharge} is announced by nobody else: their callers wake those
 * who wait.
 *
 * <p><b>Restart.</b> A ring that is found empty goes on at the beginning of its memory, so that one
 * with little to carry stays in the cache ({@link RingConsumer#restart}); where the medium
 * completes late, ahead of the last completions ({@link RingConsumer#restartAhead}).
 *
 * <p><b>Rest.</b> A ring that is not used for a while gives its memory back; see {@link RingRest}.
 */
public final class OutboundRing {

  /** Too little free space; some will be free when the medium has completed bytes. */
  public static final long FULL = -1;

  /** Too little credit; there will be more when the peer grants it. */
  public static final long NO_CREDIT = -2;

  /** Smallest capacity in bytes. */
  public static final long MIN_CAPACITY = 64;

  /** Largest capacity in bytes. */
  public static final long MAX_CAPACITY = 1L << 30;

  private final long[] cursors;
  private final long capacity;
  private final long mask;
  private final RingConsumer consumer;
  private final RingShortage shortage;
  private final RingCharges charges;
  private final @Nullable RingRest rest; // null if it never rests
  private volatile boolean freed;

  /** Changes while the ring rests only, as the next two. */
  private MemorySegment memory;

  private FrameMarks marks;
  private byte[] nearMarks;
  private byte[] middleMarks; // as far as a thread knows; it asks if they do not reach
  private byte[] farMarks; // as well

  /** Offset up to which a frame may end for whose marks nothing is to be done. */
  private long reach;

  OutboundRing(MemorySegment memory, long[] cursors) {
    this(memory, new FrameMarks(memory.byteSize()), memory.byteSize(), cursors, null);
  }

  private OutboundRing(
      MemorySegment memory,
      FrameMarks marks,
      long capacity,
      long[] cursors,
      @Nullable RingMemory source) {
    if (Long.bitCount(capacity) != 1 || capacity < MIN_CAPACITY || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "ring capacity must be a power of two from 64 to 2^30: capacity=" + capacity);
    }
    this.memory = memory;
    this.marks = marks;
    this.cursors = cursors;
    this.capacity = capacity;
    mask = capacity - 1;
    takeMarks();
    consumer = new RingConsumer(memory, marks, cursors, mask);
    rest = source == null ? null : new RingRest(this, source, cursors);
    shortage = new RingShortage(cursors, capacity, rest);
    charges = new RingCharges(this, shortage, cursors);
  }

  /**
   * A ring over memory of the transport.
   *
   * @param memory a power of two of bytes, {@link #MIN_CAPACITY} to {@link #MAX_CAPACITY}; aligned
   *     to 8 bytes; the ring is its only user
   */
  public static OutboundRing over(MemorySegment memory) {
    return new OutboundRing(memory, RingLayout.newCursors());
  }

  /**
   * A ring that can rest; it begins at rest if the process may have no more memory now.
   *
   * @param source gives memory as {@link #over} demands; owned by the caller
   */
  public static OutboundRing resting(RingMemory source) {
    long[] cursors = RingLayout.newCursors();
    MemorySegment memory = source.take();
    if (memory == null) {
      CURSOR.setVolatile(cursors, TAIL, RingLayout.RESTING); // before anybody knows the ring
      return new OutboundRing(
          RingMemory.NOTHING, FrameMarks.NONE, source.length(), cursors, source);
    }
    long capacity = memory.byteSize();
    return new OutboundRing(memory, new FrameMarks(capacity), capacity, cursors, source);
  }

  /** Bytes of the ring. */
  public long capacity() {
    return capacity;
  }

  /** The largest number of bytes that a frame in the ring may occupy: a quarter of it. */
  public int maxFrameLength() {
    return (int) (capacity >>> 2);
  }

  /** The memory that frames are encoded into, at {@link #offset}. */
  public MemorySegment memory() {
    return memory;
  }

  /** Which frames are committed. */
  FrameMarks marks() {
    return marks;
  }

  /** Where a position is in the memory. */
  public long offset(long position) {
    return position & mask;
  }

  // Producers: any thread.

  /**
   * Claims a frame that is charged to the window. The caller encodes all but the header, soon, and
   * then commits or aborts, whatever happens.
   *
   * @param length of the frame with its header, 8 to {@link #maxFrameLength()}
   * @param granted position up to which bytes may be charged
   * @return position of the frame, {@link #FULL} or {@link #NO_CREDIT}
   */
  public long tryClaim(int length, long granted) {
    long occupied = checkedOccupied(length);
    long[] words = cursors; // the compiler would read the field again after each volatile access
    long room = capacity;
    while (true) {
      long released = (long) CURSOR.getAcquire(words, RELEASED); // an old one shows too little room
      long tail = (long) CURSOR.getVolatile(words, TAIL);
      long end = tail + occupied;
      if (end - (long) CURSOR.getVolatile(words, UNCHARGED) > granted) {
        if (shortage.lacksCredit(occupied, granted)) {
          return NO_CREDIT;
        }
      } else if (end - released > room || (tail & (room - 1)) + occupied > reach) {
        long start = RingLayout.start(tail, occupied, mask);
        if (start + occupied - released > room) {
          if (shortage.lacksRoom(start + occupied)) {
            return FULL;
          }
        } else if (moveTail(tail, start, start + occupied, start - tail)) {
          return start;
        }
      } else if (CURSOR.compareAndSet(words, TAIL, tail, end)) {
        return tail;
      }
    }
  }

  /**
   * Claims a frame that is exempt from the window: a response, whose space the requester reserved,
   * or control. Otherwise as {@link #tryClaim}.
   *
   * @return position of the frame or {@link #FULL}
   */
  public long tryClaimUncharged(int length) {
    long occupied = checkedOccupied(length);
    while (true) {
      long tail = (long) CURSOR.getVolatile(cursors, TAIL);
      long start = RingLayout.start(tail, occupied, mask);
      long end = start + occupied;
      if (end - (long) CURSOR.getAcquire(cursors, RELEASED) > capacity) {
        if (shortage.lacksRoom(end)) {
          return FULL;
        }
      } else if (moveTail(tail, start, end, end - tail)) {
        return start;
      }
    }
  }

  /**
   * Charges bytes that are kept outside of the ring, before they are encoded. Leaves a committed
   * mark of 8 bytes in the ring, which is never sent.
   *
   * @param bytes that the frame will occupy on the wire
   * @param granted position up to which bytes may be charged
   * @return false if there is no credit, or no room for the mark; nothing has changed then
   */
  public boolean tryCharge(long bytes, long granted) {
    return charges.tryCharge(bytes, granted);
  }

  /** Gives back what {@link #tryCharge} charged; the caller wakes those who wait for credit. */
  public void uncharge(long bytes) {
    RingLayout.add(cursors, UNCHARGED, bytes);
  }

  /**
   * Begins a claimed frame, before its body is encoded: writes its header, and zeros where its last
   * word is not full, and says whose it is until it is committed.
   *
   * @param claimed {@link #memory()}, as the caller has it: what was just looked at costs less to
   *     look at again
   * @param header whose length must be the one claimed
   */
  public void open(MemorySegment claimed, long position, long header) {
    long offset = position & mask;
    int length = FrameLayout.length(header);
    if ((length & (FrameLayout.ALIGNMENT - 1)) != 0) {
      HEADER.set(claimed, offset + (length & -FrameLayout.ALIGNMENT), 0L);
    }
    HEADER.set(claimed, offset, header);
    FrameMarks.set(marksOf(offset), offset, FrameMarks.OPEN);
  }

  /**
   * Publishes a frame that {@link #open} began, or that is never sent; touches no memory, which may
   * be gone. An IllegalStateException says that the ring was freed: the frame goes nowhere.
   */
  public void commitOpen(long position, long header) {
    long offset = position & mask;
    FrameMarks.commit(marksOf(offset), offset, header); // pairs with the acquiring read of marks
    if (freed) {
      throw new IllegalStateException("the ring was freed before the frame was committed");
    }
  }

  /** Publishes a claimed frame that is whole but for its header, up to its last word. */
  public void commit(long position, long header) {
    HEADER.set(memory, position & mask, header);
    commitOpen(position, header);
  }

  private byte[] marksOf(long offset) {
    byte[] array =
        offset < FrameMarks.NEAR_SPAN
            ? nearMarks
            : offset < FrameMarks.MIDDLE_SPAN ? middleMarks : farMarks;
    return FrameMarks.reaches(array, offset) ? array : marks.provided(offset);
  }

  /**
   * Gives up a frame that {@link #tryClaim} returned for this length: it is never sent, and its
   * bytes are not charged any more; touches no memory. The caller wakes those who wait for credit.
   */
  public void abort(long position, int length) {
    RingLayout.add(cursors, UNCHARGED, FrameLayout.occupied(length));
    commitOpen(position, padding(length));
  }

  /** Gives up a frame that {@link #tryClaimUncharged} returned: it is never sent. */
  public void abortUncharged(long position, int length) {
    commitOpen(position, padding(length));
  }

  /**
   * Refuses every later claim with {@link #FULL}: the tail moves beyond what can ever be released.
   * What was claimed before is still committed, sent and counted. Idempotent.
   */
  public void seal() {
    RingLayout.seal(cursors);
  }

  /** Bytes ever charged to the window and not taken back; a volatile read, any thread. */
  public long chargedBytes() {
    long uncharged = (long) CURSOR.getVolatile(cursors, UNCHARGED);
    return claimed() - uncharged;
  }

  /** Position of the first byte that was not sent; any thread, a hint. */
  public long sentPosition() {
    return (long) CURSOR.getOpaque(cursors, SENT);
  }

  /** Bytes claimed and not sent; a hint that any thread may read, without ordering. */
  public long pendingBytes() {
    long sent = (long) CURSOR.getOpaque(cursors, SENT);
    return ((long) CURSOR.getOpaque(cursors, TAIL) & RingLayout.POSITION) - sent;
  }

  /** End of what is claimed; any thread, a volatile read. */
  public long claimed() {
    return (long) CURSOR.getVolatile(cursors, TAIL) & RingLayout.POSITION;
  }

  /** Whether everything claimed was sent or skipped; any thread, a volatile read of the tail. */
  public boolean isEmpty() {
    long sent = (long) CURSOR.getAcquire(cursors, SENT);
    return claimed() == sent;
  }

  /**
   * Whether a claim could succeed now. An answer of no is certain: whoever makes room afterwards
   * has read or will read that it is needed, if the caller has said so before and passed a fence.
   * An answer of yes may be out of date. Any thread.
   *
   * @param charged bytes that would be charged to the window
   * @param occupied bytes that the frame would occupy here
   * @param granted position up to which bytes may be charged
   */
  public boolean hasRoom(long charged, long occupied, long granted) {
    return shortage.hasRoom(charged, occupied, granted);
  }

  /** What the holder of the role, and who completes what it has sent, do with the ring. */
  public RingConsumer consumer() {
    return consumer;
  }

  /**
   * Lets go of the memory if the ring is empty and all of it released; the next claim takes new
   * memory. The caller holds the role, and closes what it gets: that takes a while, which others
   * need not wait for.
   *
   * @return the memory that nobody uses any more; null if the ring goes on as it is
   */
  public NativeMemory.@Nullable Scope rest() {
    return rest == null ? null : rest.begin();
  }

  /**
   * Frees the memory; after the role was retired and the ring sealed. A producer may still be
   * encoding whose codec does not return: its memory goes to nobody else ({@link Slabs}), and its
   * commit throws.
   */
  public void free() {
    freed = true; // first
    if (rest != null) {
      rest.free();
    }
  }

  /** Whether the memory was freed under whoever comes late; any thread. */
  public boolean isFreed() {
    return freed;
  }

  /** Whether the ring has no memory now; any thread. */
  public boolean isResting() {
    return RingLayout.isResting(cursors);
  }

  /** Goes on in other memory; {@link RingRest} only. */
  void use(MemorySegment newMemory, FrameMarks newMarks) {
    memory = newMemory;
    marks = newMarks;
    takeMarks();
    consumer.use(newMemory, newMarks);
  }

  /** Goes on in memory that is freed already, so that who comes late is told; the rest only. */
  void abandon(MemorySegment gone) {
    memory = gone;
  }

  private long checkedOccupied(int length) {
    if (length < FrameLayout.HEADER_LENGTH || length > capacity >>> 2) {
      throw new IllegalArgumentException(
          "frame does not fit: length=" + length + ", maxFrameLength=" + maxFrameLength());
    }
    return FrameLayout.occupied(length);
  }

  /** Moves the tail over padding and frame, so many bytes of which are not charged. */
  private boolean moveTail(long tail, long start, long end, long uncharged) {
    provideMarks(tail);
    provideMarks(start);
    RingLayout.add(cursors, SETTLING, 1);
    boolean moved = CURSOR.compareAndSet(cursors, TAIL, tail, end);
    if (moved) {
      RingLayout.add(cursors, UNCHARGED, uncharged);
    }
    RingLayout.add(cursors, SETTLING, -1);
    if (moved) {
      keepMarks();
    }
    if (moved && start != tail) { // last: it throws if the memory was freed in the meantime
      commitOpen(tail, padding((int) (start - tail)));
    }
    return moved;
  }

  /** Before a claim: it fails if there is no heap, and a commit does not. */
  void provideMarks(long position) {
    byte[] _ = marks.provided(position & mask);
  }

  /** After a claim, until whose commit the ring cannot rest. */
  private void keepMarks() {
    if (reach < capacity && reach < marks.span()) { // others read what is written here
      takeMarks();
    }
  }

  private void takeMarks() {
    nearMarks = marks.of(0);
    middleMarks = marks.of(FrameMarks.NEAR_SPAN);
    farMarks = marks.of(FrameMarks.MIDDLE_SPAN);
    reach = Math.min(capacity, marks.span());
  }

  static long padding(int length) {
    return FrameLayout.header(FrameLayout.PADDING, 0, length);
  }
}
