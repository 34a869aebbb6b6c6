package org.ringwire.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.ringwire.wire.FrameLayout;

/**
 * Which frames of an {@link OutboundRing} are committed: a byte for each place where a frame may
 * begin. It is on the heap, beside the ring's memory, for three reasons. Who commits has made its
 * last access to that memory before its mark is seen, so the memory may be freed once all marks are
 * there: a thread that is in memory while it is freed is interrupted by the virtual machine, though
 * nobody wants it to end. Nor has who only looks for marks anything to do with that memory. And
 * what was sent need not be zeroed, of which each cache line comes from another core where a peer
 * has read it; the marks of 512 bytes of frames are one line.
 *
 * <p>A mark also says what the consumer needs to know of a short frame, so that it does not look at
 * each header.
 *
 * <p><b>Access.</b> A producer writes the mark of a frame that it has claimed, by a release store,
 * which the consumer's acquiring read pairs with: it finds the frame as it was encoded. Who
 * completes clears marks before it stores {@code RELEASED}, which a claim reads by acquire, so no
 * producer's mark is cleared; nor does the consumer read a mark of the lap before, see {@link
 * RingConsumer}.
 *
 * <p><b>Near and far.</b> A node may have thousands of rings, most of which carry little and stay
 * at the beginning of their memory ({@link RingConsumer#restart}). So only the marks of the first
 * {@link #NEAR_SPAN} bytes are there from the beginning. Those of the middle, up to {@link
 * #MIDDLE_SPAN}, which a busy ring comes to whose consumer keeps up, and those of the rest are made
 * when a claim gets there: before it moves the tail, so that it is the claim that fails if there is
 * no heap.
 */
final class FrameMarks {

  /** Not claimed, or claimed and not encoded yet. */
  static final byte FREE = 0;

  /** Being encoded: the type in the header is that of the frame. */
  static final byte OPEN = -1;

  /** Committed, and what it is stands in its header. */
  static final byte IN_HEADER = -2;

  /** In a mark that is positive: words that a committed frame occupies. */
  private static final int WORDS = 0x3F;

  /** In a mark that is positive: the frame counts as a message. */
  private static final int MESSAGE = 0x40;

  /** Bytes at the beginning of a ring whose marks are always there: for those that carry little. */
  static final int NEAR_SPAN = 8 << 10;

  /** Where the middle ends: more than what a ring restarts beyond and what is sent at a time. */
  static final int MIDDLE_SPAN = 128 << 10;

  private static final int WORD_SHIFT = Integer.numberOfTrailingZeros(FrameLayout.ALIGNMENT);

  private static final VarHandle MARK =
      MethodHandles.arrayElementVarHandle(byte[].class).withInvokeExactBehavior();

  /** In place of marks that are not made yet. */
  private static final byte[] NOTHING = {};

  /** Of a ring that has no memory: where it begins nothing is committed. */
  static final FrameMarks NONE = new FrameMarks(OutboundRing.MIN_CAPACITY);

  private final byte[] near;
  private final int length;

  @SuppressWarnings("VolatileArray") // it is the reference that is, here and in the next one
  private volatile byte[] middle = NOTHING; // with the lock held

  @SuppressWarnings("VolatileArray")
  private volatile byte[] far = NOTHING; // with the lock held

  /**
   * Nothing is committed.
   *
   * @param capacity of the ring, a power of two
   */
  FrameMarks(long capacity) {
    length = (int) (capacity >>> WORD_SHIFT);
    near = new byte[Math.min(length, NEAR_SPAN >>> WORD_SHIFT)];
  }

  /** The marks that a place belongs to, as far as they are made; any thread. */
  byte[] of(long offset) {
    return offset < NEAR_SPAN ? near : offset < MIDDLE_SPAN ? middle : far;
  }

  /** The same, which are made now if they were not; any thread. */
  byte[] provided(long offset) {
    byte[] marks = of(offset);
    return reaches(marks, offset) ? marks : make(offset);
  }

  private synchronized byte[] make(long offset) {
    byte[] marks = of(offset);
    if (!reaches(marks, offset)) {
      boolean toEnd = offset >= MIDDLE_SPAN;
      marks = new byte[toEnd ? length : Math.min(length, MIDDLE_SPAN >>> WORD_SHIFT)];
      if (toEnd) {
        far = marks;
      } else {
        middle = marks;
      }
    }
    return marks;
  }

  /** Bytes of a ring for all of which there are marks; a ring may be shorter. */
  long span() {
    if (middle.length == 0) {
      return NEAR_SPAN;
    }
    return far.length == 0 ? MIDDLE_SPAN : (long) length << WORD_SHIFT;
  }

  /** Whether marks reach to a place; as array accesses check it, which then do not. */
  static boolean reaches(byte[] marks, long offset) {
    return Integer.compareUnsigned((int) (offset >>> WORD_SHIFT), marks.length) < 0;
  }

  /**
   * Producer: the mark of a frame that it has claimed. The ring keeps the marks at hand: between
   * claim and commit each load that waits for another one counts.
   */
  static void set(byte[] marks, long offset, byte mark) {
    MARK.setRelease(marks, (int) (offset >>> WORD_SHIFT), mark);
  }

  /**
   * The mark of the frame that begins there: {@link #FREE}, {@link #OPEN}, or what {@link
   * #isCommitted} says of; any thread, an acquiring read. Who looks late may ask for any offset.
   */
  byte get(long offset) {
    byte[] marks = of(offset);
    return reaches(marks, offset)
        ? (byte) MARK.getAcquire(marks, (int) (offset >>> WORD_SHIFT))
        : FREE;
  }

  /** The mark of a committed frame. */
  static byte committed(long header) {
    int kind = FrameLayout.kind(header);
    long words = FrameLayout.occupied(FrameLayout.length(header)) >>> WORD_SHIFT;
    if (kind >= FrameLayout.DETACHED || words > WORDS) {
      return IN_HEADER;
    }
    return (byte) (RingLayout.messages(header) != 0 ? words | MESSAGE : words);
  }

  static boolean isCommitted(byte mark) {
    return mark > 0 || mark == IN_HEADER;
  }

  /**
   * Of a positive mark a header that says as much of the frame: whether it counts as a message, and
   * what it occupies.
   */
  static long header(byte mark) {
    int kind = (mark & MESSAGE) != 0 ? FrameLayout.MESSAGE : FrameLayout.RESPONSE;
    return FrameLayout.header(kind, 0, (mark & WORDS) << WORD_SHIFT);
  }

  /**
   * Completer: clears the marks of the frames that begin within a part of one lap. The last of them
   * may reach to where no marks are.
   */
  void clear(long from, long to) {
    if (from < NEAR_SPAN) {
      fill(near, from, to);
    }
    if (to > NEAR_SPAN && from < MIDDLE_SPAN) {
      fill(middle, Math.max(from, NEAR_SPAN), to);
    }
    if (to > MIDDLE_SPAN) {
      fill(far, Math.max(from, MIDDLE_SPAN), to);
    }
  }

  private static void fill(byte[] marks, long from, long to) {
    int end = (int) Math.min(to >>> WORD_SHIFT, marks.length);
    int begin = (int) (from >>> WORD_SHIFT);
    if (begin < end) {
      Arrays.fill(marks, begin, end, FREE);
    }
  }
}
