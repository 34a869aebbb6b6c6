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
  private final List<String> descriptions = new CopyOnWriteArrayList<>();

  /** No class so far. */
  public DeclaredClasses() {}

  /** The next class. */
  public void add(byte[] description) {
    descriptions.add(new String(description, StandardCharsets.UTF_8));
  }

  /** Forgets what no receiver can have heard of: all but the first ones. */
  public void keep(int count) {
    descriptions.subList(count, descriptions.size()).clear();
  }

  /**
   * What was declared.
   *
   * @param number the first that is wanted
   * @param most how many at most
   * @return descriptions of this number and those that follow; empty if there is no such number
   */
  public List<String> from(int number, int most) {
    List<String> all = List.copyOf(descriptions);
    if (number < 0 || number >= all.size()) {
      return List.of();
    }
    return all.subList(number, Math.min(all.size(), number + most));
  }
}
