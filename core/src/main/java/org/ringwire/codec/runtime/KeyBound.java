package org.ringwire.codec.runtime;

import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Reader;

/**
 * Bounds what telling apart the keys of a map, or the elements of a set, costs that is being read,
 * where some may cost much more than others. Public for generated classes alone. One thread.
 */
public abstract sealed class KeyBound permits Collisions, KeyCosts {

  /** What reads so many keys begins, which hold no sets or maps; null if it need not weigh them. */
  public static @Nullable KeyBound begin(Reader reader, int count) {
    KeyCosts costs = KeyCosts.active(reader);
    if (costs == null) {
      return Collisions.among(count, reader);
    }
    costs.enter(reader, count);
    return costs;
  }

  /** What reads keys begins that may hold sets or maps. */
  public static KeyBound beginNested(Reader reader) {
    KeyCosts costs = KeyCosts.of(reader);
    costs.enterNested(reader);
    return costs;
  }

  /** A key was read. */
  public static void weigh(@Nullable Object key, @Nullable KeyBound bound, Reader reader) {
    if (bound != null && key != null) {
      bound.add(reader, key);
    }
  }

  /** What is between two keys, a value, was read. */
  public static void next(@Nullable KeyBound bound, Reader reader) {
    if (bound != null) {
      bound.passValue(reader);
    }
  }

  /** All keys were read. */
  static void end(@Nullable KeyBound bound, Reader reader) {
    if (bound != null) {
      bound.leave(reader);
    }
  }

  abstract void add(Reader reader, Object key);

  abstract void passValue(Reader reader);

  abstract void leave(Reader reader);
}
