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
 * <p><b>Pages.</b> A ring that carries little stays at the beginning of its memory, so the marks
 * come in pages, as positions get there. A claim provides the page of the position behind it before
 * it moves the tail, so that it is the claim that fails if there is no heap. Pages are never taken
 * away.
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

  /** Bytes of a ring whose marks are one page. */
  private static final int PAGE_SPAN = 16 << 10;

  private static final int PAGE_SHIFT = Integer.numberOfTrailingZeros(PAGE_SPAN);
  private static final int WORD_SHIFT = Integer.numberOfTrailingZeros(FrameLayout.ALIGNMENT);

  private static final VarHandle PAGE =
      MethodHandles.arrayElementVarHandle(byte[][].class).withInvokeExactBehavior();
  private static final VarHandle MARK =
      MethodHandles.arrayElementVarHandle(byte[].class).withInvokeExactBehavior();

  /** Of a ring that has no memory: where it begins nothing is committed. */
  static final FrameMarks NONE = new FrameMarks(OutboundRing.MIN_CAPACITY);

  private final byte[][] pages;
  private final int pageLength;

  /**
   * Nothing is committed; the first page is there.
   *
   * @param capacity of the ring, a power of two
   */
  FrameMarks(long capacity) {
    pages = new byte[(int) Math.max(1, capacity >>> PAGE_SHIFT)][];
    pageLength = (int) Math.min(capacity, PAGE_SPAN) >>> WORD_SHIFT;
    provide(0);
  }

  /** Bytes of a ring from one page to the next. */
  static long pageSpan(long capacity) {
    return Math.min(capacity, PAGE_SPAN);
  }

  /** Makes sure that there is a page for the mark of an offset; any thread. */
  void provide(long offset) {
    int index = page(offset);
    if ((byte[]) PAGE.getAcquire(pages, index) == null) {
      boolean _ = PAGE.compareAndSet(pages, index, (byte[]) null, new byte[pageLength]);
    }
  }

  /** Producer: the mark of a frame that it has claimed. */
  void set(long offset, byte mark) {
    byte[] page = pages[page(offset)];
    if (page == null) { // the ring has rested since its claim looked
      provide(offset);
      page = pages[page(offset)];
    }
    MARK.setRelease(page, (int) (offset >>> WORD_SHIFT) & (page.length - 1), mark);
  }

  /**
   * The mark of the frame that begins there: {@link #FREE}, {@link #OPEN}, or what {@link
   * #isCommitted} says of; any thread, an acquiring read. The masks spare the compiler's checks,
   * and who looks late may ask for any offset.
   */
  byte get(long offset) {
    byte[] page = (byte[]) PAGE.getAcquire(pages, page(offset));
    return page == null
        ? FREE
        : (byte) MARK.getAcquire(page, (int) (offset >>> WORD_SHIFT) & (page.length - 1));
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
    long offset = from;
    while (offset < to) {
      long end = Math.min(to, (offset | (PAGE_SPAN - 1)) + 1);
      byte[] page = pages[page(offset)];
      if (page != null) {
        int first = (int) (offset & (PAGE_SPAN - 1)) >>> WORD_SHIFT;
        Arrays.fill(page, first, first + ((int) (end - offset) >>> WORD_SHIFT), FREE);
      }
      offset = end;
    }
  }

  private int page(long offset) {
    return (int) (offset >>> PAGE_SHIFT) & (pages.length - 1);
  }
}
