package org.ringwire.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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
 * <p>A mark also says what the consumer needs to know of a frame: what it occupies, and whether it
 * counts, is skipped, or stands for another. Of a long frame the four marks behind the first say
 * what it occupies: where they are nothing else begins. So who sends reads no header, which spares
 * it the cache line; and a peer who may write to the memory, since it is shared, can change what it
 * is sent and nothing else. But for one guess: which type it is that {@link RingConsumer#openType
 * encodes for too long} is read from the header, so such a peer may have another type encoded
 * apart.
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

  /** Committed, counts as a message, and longer than a mark can say; as the next two. */
  private static final byte LONG_MESSAGE = -2;

  private static final byte LONG_OTHER = -3;

  private static final byte LONG_PADDING = -4;

  /** Committed, and stands for a frame kept elsewhere; occupies one word. */
  private static final byte DETACHED = -5;

  /** In a mark that is positive, or below {@link #DETACHED}: words that the frame occupies. */
  private static final int WORDS = 0x3F;

  /** In a mark that is positive: the frame counts as a message. */
  private static final int MESSAGE = 0x40;

  /** In a mark below {@link #DETACHED}: the frame is skipped. */
  private static final int PADDING = 0x80;

  /** Words that a long frame occupies, in the marks behind its first. */
  private static final VarHandle LONG_WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
          .withInvokeExactBehavior();

  /** So many marks more than there are places, for a long frame that begins at the last of them. */
  private static final int BEYOND = Integer.BYTES;

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
    near = new byte[Math.min(length, NEAR_SPAN >>> WORD_SHIFT) + BEYOND];
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
      marks = new byte[(toEnd ? length : Math.min(length, MIDDLE_SPAN >>> WORD_SHIFT)) + BEYOND];
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

  /** Producer: as {@link #set}, for a frame that is whole; says of it what its header does. */
  static void commit(byte[] marks, long offset, long header) {
    int kind = FrameLayout.kind(header);
    int words = (int) (FrameLayout.occupied(FrameLayout.length(header)) >>> WORD_SHIFT);
    byte mark =
        kind >= FrameLayout.DETACHED || words > WORDS
            ? rare(marks, (int) (offset >>> WORD_SHIFT), header, words)
            : (byte) (RingLayout.messages(header) != 0 ? words | MESSAGE : words);
    set(marks, offset, mark);
  }

  private static byte rare(byte[] marks, int index, long header, int words) {
    int kind = FrameLayout.kind(header);
    if (kind == FrameLayout.DETACHED) {
      if (words != 1) {
        throw new IllegalArgumentException(
            "what stands for another frame has one word: words=" + words);
      }
      return DETACHED;
    }
    if (words <= WORDS) {
      return (byte) (words | PADDING);
    }
    LONG_WORDS.set(marks, index + 1, words); // before the release store of the mark
    if (kind == FrameLayout.PADDING) {
      return LONG_PADDING;
    }
    return RingLayout.messages(header) != 0 ? LONG_MESSAGE : LONG_OTHER;
  }

  static boolean isCommitted(byte mark) {
    return mark > FREE || mark < OPEN;
  }

  /**
   * Of the committed frame that begins there a header that says as much of it as is said here: what
   * it occupies, and its kind, but that all messages and requests are messages, and all else that
   * is sent responses. 0 if none is committed there. Any thread, an acquiring read, which pairs
   * with the one of {@link #commit}.
   */
  long committed(long offset) {
    byte[] marks = of(offset);
    if (!reaches(marks, offset)) {
      return 0;
    }
    int index = (int) (offset >>> WORD_SHIFT);
    byte mark = (byte) MARK.getAcquire(marks, index);
    if (mark > FREE) {
      int kind = (mark & MESSAGE) != 0 ? FrameLayout.MESSAGE : FrameLayout.RESPONSE;
      return header(kind, mark & WORDS);
    }
    return mark < OPEN ? rare(marks, index, mark) : 0;
  }

  private static long rare(byte[] marks, int index, byte mark) {
    return switch (mark) {
      case LONG_MESSAGE -> header(FrameLayout.MESSAGE, (int) LONG_WORDS.get(marks, index + 1));
      case LONG_OTHER -> header(FrameLayout.RESPONSE, (int) LONG_WORDS.get(marks, index + 1));
      case LONG_PADDING -> header(FrameLayout.PADDING, (int) LONG_WORDS.get(marks, index + 1));
      case DETACHED -> header(FrameLayout.DETACHED, 1);
      default -> header(FrameLayout.PADDING, mark & WORDS);
    };
  }

  private static long header(int kind, int words) {
    return FrameLayout.header(kind, 0, words << WORD_SHIFT);
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
