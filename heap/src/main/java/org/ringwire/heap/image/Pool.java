package org.ringwire.heap.image;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a few objects that are costly to make and that one thread at a time uses. Any thread: a
 * place is emptied by one atomic exchange, and whoever finds it empty makes an object of its own.
 *
 * <p>What large graphs have made them allocate is kept as well, but never more than {@link
 * #MOST_SPARE} by all of them: each is counted when it is put in, and no more when it is taken out.
 *
 * @param <T> what is kept
 */
public abstract class Pool<T extends Pool.Kept> {
  private static final int PLACES = 64;

  /** Bytes that one keeps beyond what it has at first. */
  static final long MOST_SPARE_EACH = 16L << 20;

  /** The same of all together. */
  static final long MOST_SPARE = 64L << 20;

  private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(PLACES);
  private final AtomicLong spare = new AtomicLong();

  /** Something with memory that grows with its use. */
  public interface Kept {

    /**
     * Bytes that it has beyond what it has at first; the same until it is used or trimmed.
     *
     * @return a bounded number
     */
    long spareBytes();

    /** Frees these. */
    void trim();
  }

  /** An empty pool. */
  protected Pool() {}

  /** Makes what is missing. Any thread. */
  protected abstract T make();

  /** Takes an object out, or makes one. */
  public final T take() {
    T kept = places.getAndSet(place(), null); // pairs with the exchange in giveBack
    if (kept == null) {
      return make();
    }
    uncount(kept);
    return kept;
  }

  /** Puts an object back that nobody uses any more. */
  public final void giveBack(T object) {
    long bytes = object.spareBytes();
    if (bytes > MOST_SPARE_EACH) {
      object.trim();
    } else if (bytes > 0 && spare.addAndGet(bytes) > MOST_SPARE) {
      spare.addAndGet(-bytes); // first, as trimming may end with an error
      object.trim();
    }
    T old = places.getAndSet(place(), object); // pairs with the exchange in take
    if (old != null) {
      uncount(old);
    }
  }

  /**
   * Counts what is kept in an object that somebody goes on using, and frees that if it is too much.
   *
   * @param counted what was counted of it before
   * @return what is counted of it now
   */
  public final long count(T object, long counted) {
    long bytes = object.spareBytes();
    if (bytes == counted) {
      return counted;
    }
    if (bytes <= MOST_SPARE_EACH && spare.addAndGet(bytes - counted) <= MOST_SPARE) {
      return bytes;
    }
    if (bytes <= MOST_SPARE_EACH) {
      spare.addAndGet(counted - bytes); // as it is for the caller, if trimming ends with an error
    }
    object.trim();
    spare.addAndGet(-counted);
    return 0;
  }

  /** The object that this was counted of is not used any more. */
  public final void uncount(long counted) {
    spare.addAndGet(-counted);
  }

  private void uncount(T object) {
    long bytes = object.spareBytes();
    if (bytes > 0) {
      spare.addAndGet(-bytes);
    }
  }

  private static int place() {
    return (int) Thread.currentThread().threadId() & (PLACES - 1);
  }
}
