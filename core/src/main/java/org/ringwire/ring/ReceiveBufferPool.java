package org.ringwire.ring;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Native buffers for what arrives. Lengths up to 1 MiB are rounded up to a power of two from 4 KiB
 * on, those up to 16 MiB to a quarter of one (1.25, 1.5, 1.75 or 2 MiB and so on), and kept when
 * they come back, as long as not too many bytes lie idle: new memory costs a page fault per 4 KiB,
 * several times what it costs to fill it. Longer ones are allocated exactly and freed when they
 * come back. Thread-safe and lock-free; does not allocate while there are idle buffers of the
 * length. Up to 64 KiB new buffers are pieces of slabs that all pools share ({@link Slabs}); a
 * longer one has an arena of its own, which costs microseconds to open and to close.
 */
public final class ReceiveBufferPool implements AutoCloseable {

  /** Bytes of the smallest buffer. */
  public static final long MIN_LENGTH = 4 << 10;

  /** Bytes of the largest buffer that is kept. */
  public static final long MAX_POOLED_LENGTH = 16 << 20;

  /** Up to here sizes double, and beyond it takes four of them to double. */
  private static final long DOUBLING_LENGTH = 1 << 20;

  private static final int QUARTER_SHIFT = 2;
  private static final int MIN_SHIFT = Long.numberOfTrailingZeros(MIN_LENGTH);
  private static final int DOUBLING_CLASS = Long.numberOfTrailingZeros(DOUBLING_LENGTH) - MIN_SHIFT;
  private static final int CLASSES = classOf(MAX_POOLED_LENGTH) + 1;

  private static final int COUNT_SHIFT = 40;
  private static final int SIGN_SHIFT = Long.SIZE - COUNT_SHIFT;

  private static final long LITTLE = 256 << 10;

  /**
   * What control frames are written with, now and then also on links that are at rest: so that what
   * a node holds at rest does not depend on who looks when.
   */
  public static final int LASTING_LENGTH = 8 << 10;

  private static final int LASTING_CLASS = classOf(LASTING_LENGTH);

  private final long maxIdleBytes;
  private final boolean poisoned;
  private final BufferStack[] idle = new BufferStack[CLASSES];

  /** Buffers that exist, and those of them that lie idle: see {@link #tally}. */
  private final AtomicLong existing = new AtomicLong();

  private final AtomicLong lyingIdle = new AtomicLong();
  private final AtomicLong acquired = new AtomicLong();
  private volatile boolean closed;

  /**
   * @param maxIdleBytes bound of what is kept for later, 0 or more
   */
  public ReceiveBufferPool(long maxIdleBytes) {
    this(maxIdleBytes, NativeMemory.poisoned());
  }

  ReceiveBufferPool(long maxIdleBytes, boolean poisoned) {
    this.maxIdleBytes = maxIdleBytes;
    this.poisoned = poisoned;
    for (int index = 0; index < CLASSES; index++) {
      long count = Math.min(maxIdleBytes / lengthOf(index), BufferStack.MAX_CAPACITY);
      idle[index] = new BufferStack((int) count);
    }
  }

  /**
   * Hands out a buffer, which the caller owns and releases.
   *
   * @param minLength bytes needed at least
   */
  public ReceiveBuffer acquire(long minLength) {
    if (closed) {
      throw new IllegalStateException("pool is closed");
    }
    ReceiveBuffer kept = tryAcquireIdle(minLength);
    if (kept != null) {
      return kept;
    }
    ReceiveBuffer buffer = new ReceiveBuffer(this, lengthFor(minLength));
    existing.getAndAdd(tally(buffer));
    acquired.getAndIncrement();
    return buffer.acquired();
  }

  /**
   * As {@link #acquire}, but only what is there already: takes no memory of the machine.
   *
   * @return null if no buffer of that length lies idle
   */
  public @Nullable ReceiveBuffer tryAcquireIdle(long minLength) {
    ReceiveBuffer buffer = minLength > MAX_POOLED_LENGTH ? null : idle[classOf(minLength)].pop();
    if (buffer == null) {
      return null;
    }
    lyingIdle.getAndAdd(-tally(buffer));
    acquired.getAndIncrement();
    return buffer.acquired();
  }

  /** Number of buffers handed out so far. */
  public long acquired() {
    return acquired.get();
  }

  /** Number of buffers that were acquired and not released. */
  public long outstanding() {
    return count(outstandingTally());
  }

  /** Bytes of the buffers that were acquired and not released. */
  public long outstandingBytes() {
    return bytes(outstandingTally());
  }

  /** Bytes of the buffers that are kept for later. */
  public long idleBytes() {
    return bytes(lyingIdle.get());
  }

  /**
   * Frees a quarter of what lies idle; once that is little, those buffers that nobody has used
   * since the last call, as to free one may stop all threads for a moment ({@link Slabs}), which is
   * worse than what a few buffers hold. One of {@link #LASTING_LENGTH} stays, once there was one.
   * Called from time to time by one thread, so that what was needed once does not stay for ever.
   * Costs those that acquire buffers nothing, and at most a few new buffers.
   */
  public void trim() {
    long idleBytes = idleBytes();
    if (idleBytes <= LITTLE) {
      for (int index = 0; index < CLASSES; index++) {
        freeUnused(index);
      }
      return;
    }
    long target = idleBytes - idleBytes / 4;
    for (int index = CLASSES - 1; index >= 0 && idleBytes() > target; index--) {
      ReceiveBuffer buffer = idle[index].pop();
      while (buffer != null) {
        lyingIdle.getAndAdd(-tally(buffer));
        free(buffer);
        buffer = idleBytes() > target ? idle[index].pop() : null;
      }
    }
  }

  /** Of one length. */
  private void freeUnused(int index) {
    BufferStack stack = idle[index];
    ReceiveBuffer kept = null;
    try {
      for (ReceiveBuffer buffer = stack.pop(); buffer != null; buffer = stack.pop()) {
        boolean lasts = kept == null && index == LASTING_CLASS;
        if (buffer.wasUsed() || lasts) {
          kept = buffer.above(kept);
        } else {
          lyingIdle.getAndAdd(-tally(buffer));
          free(buffer);
        }
      }
    } finally {
      putBack(stack, kept);
    }
  }

  /** The one that was above all others comes last, and so is above them again. */
  private void putBack(BufferStack stack, @Nullable ReceiveBuffer lowest) {
    ReceiveBuffer next = lowest;
    while (next != null) {
      ReceiveBuffer buffer = next;
      next = buffer.below();
      if (!stack.push(buffer.above(null))) { // as many were released meanwhile
        lyingIdle.getAndAdd(-tally(buffer));
        free(buffer);
      }
    }
    if (closed) { // close() may have looked while they were not there
      freeIdle();
    }
  }

  /** Frees what lies idle, and from now on every buffer as soon as it is released. */
  @Override
  public void close() {
    closed = true;
    freeIdle();
  }

  /** Takes a buffer back, which nobody uses any more. */
  void released(ReceiveBuffer buffer) {
    if (poisoned) {
      buffer.segment().fill(NativeMemory.POISON);
    }
    if (!keep(buffer)) {
      free(buffer);
    } else if (closed) { // close() may have looked before this buffer was idle
      freeIdle();
    }
  }

  private boolean keep(ReceiveBuffer buffer) {
    long length = buffer.capacity();
    if (length > MAX_POOLED_LENGTH || closed || MemoryBudget.isTight()) {
      return false;
    }
    if (bytes(lyingIdle.addAndGet(tally(buffer))) <= maxIdleBytes
        && idle[classOf(length)].push(buffer)) {
      return true;
    }
    lyingIdle.getAndAdd(-tally(buffer));
    return false;
  }

  private void freeIdle() {
    for (BufferStack stack : idle) {
      for (ReceiveBuffer buffer = stack.pop(); buffer != null; buffer = stack.pop()) {
        lyingIdle.getAndAdd(-tally(buffer));
        free(buffer);
      }
    }
  }

  /**
   * Read in this order, a buffer on its way counts as outstanding. One that lay idle and is freed
   * in between is missing: there may be fewer than none.
   */
  private long outstandingTally() {
    long idleNow = lyingIdle.get();
    return existing.get() - idleNow;
  }

  private void free(ReceiveBuffer buffer) {
    existing.getAndAdd(-tally(buffer));
    buffer.free();
  }

  /** One buffer and its bytes, as one number: bytes up to 2^39 in the low bits, and a count. */
  private static long tally(ReceiveBuffer buffer) {
    return (1L << COUNT_SHIFT) + buffer.capacity();
  }

  /** Buffers of a tally, none if it is of fewer; bytes below none borrow from the count. */
  static long count(long tally) {
    return Math.max(0, (tally + (1L << (COUNT_SHIFT - 1))) >> COUNT_SHIFT);
  }

  /** Bytes of a tally, none if it is of fewer. */
  static long bytes(long tally) {
    return Math.max(0, (tally << SIGN_SHIFT) >> SIGN_SHIFT);
  }

  private static int classOf(long length) {
    if (length <= MIN_LENGTH) {
      return 0;
    }
    int shift = Long.SIZE - Long.numberOfLeadingZeros(length - 1); // of the power of two above
    if (length <= DOUBLING_LENGTH) {
      return shift - MIN_SHIFT;
    }
    int quarterShift = shift - 1 - QUARTER_SHIFT;
    int quarters = (int) ((length - 1) >>> quarterShift) - (1 << QUARTER_SHIFT) + 1;
    return DOUBLING_CLASS + ((shift - 1 - MIN_SHIFT - DOUBLING_CLASS) << QUARTER_SHIFT) + quarters;
  }

  private static long lengthOf(int sizeClass) {
    if (sizeClass <= DOUBLING_CLASS) {
      return MIN_LENGTH << sizeClass;
    }
    int beyond = sizeClass - DOUBLING_CLASS - 1;
    int doublings = beyond >> QUARTER_SHIFT;
    long quarters = (1L << QUARTER_SHIFT) + 1 + (beyond & ((1 << QUARTER_SHIFT) - 1));
    return (DOUBLING_LENGTH >>> QUARTER_SHIFT << doublings) * quarters;
  }

  private static long lengthFor(long minLength) {
    return minLength > MAX_POOLED_LENGTH ? minLength : lengthOf(classOf(minLength));
  }
}
