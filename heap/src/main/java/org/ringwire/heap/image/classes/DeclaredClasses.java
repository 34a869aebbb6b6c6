package org.ringwire.heap.image.classes;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The classes that one sender has declared to one receiver, by number. The encoder adds to it
 * before a block with the number leaves, and takes away what did not leave; any thread reads, to
 * answer a receiver that has missed a declaration because it did not read the graph that had it.
 */
public final class DeclaredClasses {
  /** Never gets shorter, as that needs memory; what is beyond the count is forgotten. */
  private final List<String> descriptions = new CopyOnWriteArrayList<>();

  /** Written by the encoder's thread, after what it counts; read by any. */
  private volatile int count;

  /** No class so far. */
  public DeclaredClasses() {}

  /** The next class. */
  public void add(byte[] description) {
    String text = new String(description, StandardCharsets.UTF_8);
    int number = count;
    if (number < descriptions.size()) {
      descriptions.set(number, text);
    } else {
      descriptions.add(text);
    }
    count = number + 1;
  }

  /**
   * Forgets what no receiver can have heard of: all but the first ones. Needs no memory, since it
   * is called also when that was missing, maybe for the last class.
   */
  public void keep(int most) {
    count = Math.min(count, most);
  }

  /**
   * What was declared.
   *
   * @param number the first that is wanted
   * @param most how many at most
   * @return descriptions of this number and those that follow; empty if there is no such number
   */
  public List<String> from(int number, int most) {
    int known = count; // first: there are at least so many descriptions
    if (number < 0 || number >= known) {
      return List.of();
    }
    int end = (int) Math.min(known, (long) number + most);
    return List.copyOf(descriptions).subList(number, end);
  }
}
