package org.ringwire.heap.image.shape;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;

/**
 * What is put off until a nest is done. It comes out in the order in which it was put in, but that
 * of a newer nest before what was older, so there is never more than what one path of nests leaves.
 * For one thread.
 *
 * @param <T> what is put off
 */
public final class Deferred<T> implements Iterable<T> {
  private static final int KEPT = 1 << 10;

  private final ArrayList<T> all = new ArrayList<>();
  private int most;

  /** How much of it is older than the nest at hand, the next one last. */
  private int older;

  /** Nothing so far. */
  public Deferred() {}

  /** Whether nothing is put off. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** How much is put off. */
  public int size() {
    return all.size();
  }

  /** All that is put off, in no order that means anything. */
  @Override
  public Iterator<T> iterator() {
    return Collections.unmodifiableList(all).iterator();
  }

  /** Puts something off. */
  public void add(T piece) {
    all.add(piece);
    most = Math.max(most, all.size());
  }

  /** Takes the next one out, after whose nest the next call comes. */
  public T next() {
    if (all.size() > older + 1) {
      Collections.reverse(all.subList(older, all.size()));
    }
    T next = all.removeLast();
    older = all.size();
    return next;
  }

  /** Forgets all, and memory that was needed for much of it. Needs no heap. */
  public void clear() {
    all.clear();
    if (most > KEPT) {
      all.trimToSize(); // of nothing
    }
    most = 0;
    older = 0;
  }
}
