package org.ringwire.heap.image;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a few objects that are costly to make and that one thread at a time uses. Any thread: a
 * place is emptied by one atomic exchange, and whoever finds it empty makes an object of its own.
 *
 * @param <T> what is kept
 */
public abstract class Pool<T> {
  private static final int PLACES = 64;

  private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(PLACES);

  /** An empty pool. */
  protected Pool() {}

  /** Makes what is missing. Any thread. */
  protected abstract T make();

  /** Takes an object out, or makes one. */
  public final T take() {
    T kept = places.getAndSet(place(), null); // pairs with the set in giveBack
    return kept != null ? kept : make();
  }

  /** Puts an object back that nobody uses any more. */
  public final void giveBack(T object) {
    places.set(place(), object);
  }

  private static int place() {
    return (int) Thread.currentThread().threadId() & (PLACES - 1);
  }
}
