package org.ringwire.heap.image;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.ringwire.EncodingException;
import org.ringwire.heap.image.shape.Deferred;

/**
 * The objects of a graph that are put off until a nest is done. For one thread.
 *
 * <p>Where no objects are recognised, a cycle that branches puts off the same few of them over and
 * over, twice as many with each level, and no limit of depth would ever be met. In a tree they are
 * all different, however wide it is. So who has put off very many looks how many objects they are:
 * what is here stays in proportion to the graph.
 */
final class LaterObjects {
  /** What those may have missed who have switched detection off. */
  static final String CYCLE_HINT = "; does it have a cycle? Cycle detection is off";

  /** So many are put off unseen. */
  private static final int FIRST_LOOK = 1 << 20;

  private final Deferred<Later> all = new Deferred<>();
  private int nextLook = FIRST_LOOK;

  /** An object that was put off, and how deep it lies. */
  record Later(Object object, int depth) {}

  boolean isEmpty() {
    return all.isEmpty();
  }

  void add(Object object, int depth) {
    all.add(new Later(object, depth));
  }

  Later next() {
    return all.next();
  }

  /**
   * Looks how many objects there are each time that what is put off has doubled.
   *
   * @throws EncodingException if more than half of it was put off before
   */
  void requireThatTheyDiffer() {
    if (all.size() >= nextLook) {
      look();
      nextLook = 2 * all.size();
    }
  }

  private void look() {
    Set<Object> different = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Later later : all) {
      different.add(later.object);
      if (different.size() > all.size() / 2) {
        return;
      }
    }
    throw new EncodingException(
        "the graph leads to the same objects again and again: references put off="
            + all.size()
            + " objects="
            + different.size()
            + CYCLE_HINT);
  }

  void clear() {
    all.clear();
    nextLook = FIRST_LOOK;
  }
}
