package org.ringwire.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
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
 * <p><b>Near and far.</b> A ring that carries little stays at the beginning of its memory ({@link
 * RingConsumer#restart}), so the marks of the rest are made when a claim gets there: before it
 * moves the tail, so that it is the claim that fails if there is no heap.
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

  /**
   * Bytes at the beginning of a ring whose marks are always there: where it restarts, and what is
   * written at a time.
   */
  static final int NEAR_SPAN = 128 << 10;

  private static final int WORD_SHIFT = Integer.numberOfTrailingZeros(FrameLayout.ALIGNMENT);

  private static final VarHandle MARK =
      MethodHandles.arrayElementVarHandle(byte[].class).withInvokeExactBehavior();

  /** Of a ring that has no memory: where it begins nothing is committed. */
  static final FrameMarks NONE = new FrameMarks(OutboundRing.MIN_CAPACITY);

  private final byte[] near;
  private final int length;
  private final AtomicReference<byte @Nullable []> far = new AtomicReference<>();

  /**
   * Nothing is committed.
   *
   * @param capacity of the ring, a power of two
   */
  FrameMarks(long capacity) {
    length = (int) (capacity >>> WORD_SHIFT);
    near = new byte[Math.min(length, NEAR_SPAN >>> WORD_SHIFT)];
  }

  /** Those of the first {@link #NEAR_SPAN} bytes. */
  byte[] near() {
    return near;
  }

  /** Those of all that follows, which are made now if they were not; any thread. */
  byte[] far() {
    byte[] marks = far.get();
    if (marks == null) {
      boolean _ = far.compareAndSet(null, new byte[length]);
      marks = Objects.requireNonNull(far.get());
    }
    return marks;
  }

  /**
   * Producer: the mark of a frame that it has claimed. The ring keeps {@link #near} and {@link
   * #far} at hand: between claim and commit each load that waits for another one counts.
   */
  static void set(byte[] marks, long offset, byte mark) {
    MARK.setRelease(marks, (int) (offset >>> WORD_SHIFT), mark);
  }

  /**
   * The mark of the frame that begins there: {@link #FREE}, {@link #OPEN}, or what {@link
   * #isCommitted} says of; any thread, an acquiring read. The mask spares the compiler's checks,
   * and who looks late may ask for any offset.
   */
  byte get(long offset) {
    byte[] marks = offset < NEAR_SPAN ? near : far.get();
    return marks == null
        ? FREE
        : (byte) MARK.getAcquire(marks, (int) (offset >>> WORD_SHIFT) & (marks.length - 1));
  }

  /** The mark of a committed frame. */
  static byte of(long header) {
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

  /** Completer: clears the marks of the frames that begin within a part of one lap. */
  void clear(long from, long to) {
    fill(near, from, Math.min(to, NEAR_SPAN));
    byte[] marks = far.get();
    if (marks != null) {
      fill(marks, Math.max(from, NEAR_SPAN), to);
    }
  }

  private static void fill(byte[] marks, long from, long to) {
    if (from < to) {
      Arrays.fill(marks, (int) (from >>> WORD_SHIFT), (int) (to >>> WORD_SHIFT), FREE);
    }
  }
}
