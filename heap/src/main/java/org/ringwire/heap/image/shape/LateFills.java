package org.ringwire.heap.image.shape;

import java.util.ArrayList;
import java.util.List;
import org.ringwire.codec.DecodingException;

/**
 * Sets and maps whose keys have methods that may look at any part of the graph, and so are filled
 * when all of it is there. For one thread.
 *
 * <p>Methods of keys may also ask containers that are to be filled. As long as nothing refers to
 * what came before, those that a key leads to were complete before its own, and inner ones are
 * filled first. Else nobody can tell the order but the methods themselves. So a container that does
 * not find its keys once all are filled was filled too early, and is filled again, in turns. Of
 * those that ask for nothing that goes around in a circle, each turn sets one more right for good;
 * when a turn sets none right the rest is not found where it came from either.
 */
final class LateFills {
  private static final int KEPT = 1 << 10;
  private static final int MOST_TURNS = 100;

  private final ArrayList<Fill> fills = new ArrayList<>();

  void add(Fill fill) {
    fills.add(fill);
  }

  boolean isEmpty() {
    return fills.isEmpty();
  }

  /** Needs no heap. */
  void clear() {
    boolean wereMany = fills.size() > KEPT;
    fills.clear();
    if (wereMany) {
      fills.trimToSize(); // of nothing
    }
  }

  /**
   * Fills all.
   *
   * @param hasBacks whether anything of the graph was referred to again
   */
  void run(Input in, boolean hasBacks) {
    List<Fill> tangled = new ArrayList<>();
    for (Fill fill : fills) {
      if (hasBacks && fill.isTangled) {
        fill.tryToRun(in);
        tangled.add(fill);
      } else {
        fill.run(in);
      }
    }
    clear();
    boolean goesOn = !tangled.isEmpty();
    for (int turn = 0; turn < MOST_TURNS && goesOn; turn++) {
      goesOn = false;
      tangled = tangled.reversed(); // one of the two directions is better
      for (Fill fill : tangled) {
        goesOn |= !fill.isRight() && fill.isRightAgain(in);
      }
    }
    if (goesOn) {
      throw new DecodingException(
          "keys of collections depend on each other too much: collections=" + tangled.size());
    }
    for (Fill fill : tangled) {
      DecodingException failure = fill.failure;
      if (failure != null) {
        throw failure;
      }
    }
  }
}
