package org.ringwire.tools.demo.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One worker's part of the breadth-first search.
 *
 * <p>{@link #visit} may be called by any threads at once. {@link #settle} is called between phases,
 * when all visits of the phase were handled; the counting of {@link Arrivals} orders the two.
 */
public final class SearchState {

  /** Level of a vertex that the search does not reach. */
  public static final int UNREACHED = -1;

  private static final VarHandle LEVEL = MethodHandles.arrayElementVarHandle(int[].class);

  private final int[] levels;
  private final int[] found;
  private final AtomicInteger foundCount = new AtomicInteger();
  private int[] frontier = {};

  SearchState(int count) {
    levels = new int[count];
    Arrays.fill(levels, UNREACHED);
    found = new int[count];
  }

  /** A place was reached at a level; the first visit counts, and in step all say the same level. */
  void visit(int place, int level) {
    if ((int) LEVEL.getOpaque(levels, place) == UNREACHED
        && LEVEL.compareAndSet(levels, place, UNREACHED, level)) {
      found[foundCount.getAndIncrement()] = place;
    }
  }

  /** Makes what was found the frontier; returns how much that is. */
  int settle() {
    frontier = Arrays.copyOf(found, foundCount.getAndSet(0));
    return frontier.length;
  }

  /** The places whose edges are followed next. */
  int[] frontier() {
    return frontier;
  }

  /** Level of each place. */
  int[] levels() {
    return levels.clone();
  }
}
