package org.ringwire.heap.image;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.heap.image.classes.ClassNumbers;

/**
 * Which shapes an encoder has declared, by their numbers. There may be no memory for one more: then
 * all is as it was, as the encoder goes on with other graphs.
 */
final class DeclaredNumbers {
  private static final int FIRST_ROOM = 16;

  private final @Nullable UnaryOperator<int[]> longer;
  private int[] ordinals;
  private int count;

  /** How many of them may have left with a block; others are declared anew if a graph fails. */
  private int departed;

  /** No shape so far. */
  DeclaredNumbers() {
    this(FIRST_ROOM, null); // no lambda: this runs before the first graph of a JVM
  }

  /**
   * No shape so far.
   *
   * @param room for how many there is memory
   * @param longer copies what there is to more memory, if there is any; null to have it done here
   */
  DeclaredNumbers(int room, @Nullable UnaryOperator<int[]> longer) {
    this.ordinals = new int[room];
    this.longer = longer;
  }

  /**
   * The number of one more.
   *
   * @throws EncodingException if there is none that a receiver knows; then all is as it was
   */
  int add(int ordinal) {
    if (count == ClassNumbers.MOST_CLASSES) {
      throw new EncodingException(
          "more classes than an image, or a channel until it is closed, can have: limit of classes="
              + ClassNumbers.MOST_CLASSES);
    }
    if (count == ordinals.length) {
      ordinals = longer(ordinals); // if it fails, no number is gone
    }
    ordinals[count] = ordinal;
    return count++;
  }

  private int[] longer(int[] old) {
    return longer == null ? Arrays.copyOf(old, 2 * old.length) : longer.apply(old);
  }

  /** All of them may have left. */
  void depart() {
    departed = count;
  }

  /** How many may have left. */
  int departed() {
    return departed;
  }

  /** Whether there are some that have not left. */
  boolean hasMore() {
    return count > departed;
  }

  /**
   * Forgets those that have not left.
   *
   * @param tags by the ordinals of shapes; of these there are none any more
   */
  void forget(int[] tags) {
    for (int i = departed; i < count; i++) {
      tags[ordinals[i]] = 0;
    }
    count = departed;
  }
}
