package org.ringwire.heap.image.shape;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;

/**
 * How many steps it takes to ask keys for their hash codes, and to compare them, counted before
 * that. A list that holds a list twice, which holds another one twice, and so on, takes twice as
 * many with each level: a few hundred bytes of an image could keep a thread for ever. To compare
 * sets takes more: each element of the one with each of the other that has the same hash code, so
 * sets of two that hold such sets take up to four times as many with each level. In a graph nothing
 * of which is referred to again there are at most as many as objects around each key, or the square
 * of that, and nobody counts.
 *
 * <p>Steps go into collections and maps of the platform, and into records that compute their hash
 * code from their components; what methods of other classes do is theirs to bound. For one thread.
 */
final class KeySteps {

  /** For all keys of a graph together, beside what its collections allow. */
  private static final long FREE = 1 << 24;

  /** Honest keys may share what they hold, and be looked at again in other orders. */
  private static final long PER_REFERENCE = 64;

  private static final String MUCH_SHARED =
      "keys of collections share so much of what they hold that their hash codes would take too"
          + " long, or to compare them";
  private static final String LONG_NUMBERS =
      "numbers that are keys of collections are so long that to compare them would take too long";

  private long taken;
  private long most = FREE;

  void clear() {
    taken = 0;
    most = FREE;
  }

  /** A container of the graph holds so many references. */
  void allow(int references) {
    most += PER_REFERENCE * references;
  }

  /**
   * Counts those of a container that is about to be filled.
   *
   * @throws DecodingException if they are too many, with those before
   */
  void count(ContainerShape shape, @Nullable Object[] references) {
    long @Nullable [] steps = null;
    for (int i = 0; i < references.length; i++) {
      if (shape.isKey(i)) {
        long own = stepsOf(references[i]);
        if (own > PER_REFERENCE && !shape.isSorted()) { // else there may be many of one hash code
          steps = steps == null ? new long[references.length] : steps;
          steps[i] = own;
        }
      }
    }
    if (steps != null) {
      compare(references, steps);
    }
  }

  /**
   * Counts those of comparing decimal numbers in a container with an order. Of two that have the
   * same place but not the same number of digits the one is made as long as the other: a few bytes
   * with each that is long take as long as if all were.
   *
   * @throws DecodingException as {@link #count}
   */
  void countNumbers(ContainerShape shape, @Nullable Object[] references) {
    int longest = 0;
    int others = -1;
    for (int i = 0; i < references.length; i++) {
      if (references[i] instanceof BigDecimal number && shape.isKey(i)) {
        longest = Math.max(longest, number.unscaledValue().bitLength());
        others++;
      }
    }
    double words = (double) longest / Long.SIZE;
    take((long) (words * Math.sqrt(words)), others, LONG_NUMBERS);
  }

  private void take(long steps, long times) {
    take(steps, times, MUCH_SHARED);
  }

  private void take(long steps, long times, String problem) {
    if (times > 0 && steps > (most - taken) / times) {
      taken = Long.MAX_VALUE; // whatever else of the graph is tried then is refused for that, too
      throw new DecodingException(problem + ": steps=" + most);
    }
    taken += steps * Math.max(0, times);
  }

  private long stepsOf(@Nullable Object o) {
    long before = taken;
    step(o);
    return taken - before;
  }

  /** Goes as deep as the hash code itself would. */
  private void step(@Nullable Object o) {
    take(1, 1);
    if (o instanceof Record record) {
      for (long component : Components.OF_RECORDS.get(record.getClass())) {
        step(UNSAFE.getReference(record, component));
      }
    } else if (o != null && o.getClass().getClassLoader() == null) {
      stepInto(o);
    }
  }

  private void stepInto(Object o) {
    switch (o) {
      case List<?> list -> stepOver(list);
      case Set<?> set -> stepIntoTable(behind(set));
      case Map<?, ?> map -> stepIntoTable(behind(map));
      case Map.Entry<?, ?> entry -> {
        step(entry.getKey());
        step(entry.getValue());
      }
      case Optional<?> optional -> step(optional.orElse(null));
      default -> {} // is not asked, or leads nowhere
    }
  }

  private void stepOver(Collection<?> elements) {
    for (Object element : elements) {
      step(element);
    }
  }

  /** What views are views of, as that is what compares; of itself one may be in an image only. */
  private Object behind(Object table) {
    Object behind = table;
    for (Object next = Views.behind(table); next != null; next = Views.behind(next)) {
      take(1, 1);
      behind = next;
    }
    return behind;
  }

  /** What looks for what another one holds. Those for many threads do so in both directions. */
  private void stepIntoTable(Object table) {
    long before = taken;
    switch (table) {
      case IdentityHashMap<?, ?> _ -> {} // asks nothing of what it holds
      case SortedSet<?> set -> stepOver(set); // compares by its order
      case Set<?> set -> stepOverCompared(set, set instanceof CopyOnWriteArraySet);
      case Map<?, ?> map -> {
        if (map instanceof SortedMap) {
          stepOver(map.keySet());
        } else {
          stepOverCompared(map.keySet(), false);
        }
        stepOver(map.values());
      }
      default -> {} // there are no others
    }
    if (table instanceof ConcurrentMap || table instanceof ConcurrentHashMap.KeySetView<?, ?>) {
      take(taken - before, 1);
    }
  }

  /**
   * Goes over what is compared with what another table holds.
   *
   * @param withAll whether with all of it, and not only what has the same hash code
   */
  private void stepOverCompared(Set<?> elements, boolean withAll) {
    @Nullable Object[] all = elements.toArray();
    long @Nullable [] steps = null;
    for (int i = 0; i < all.length; i++) {
      long own = stepsOf(all[i]);
      if (withAll) {
        take(own, all.length - 1L);
      } else if (own > 1) {
        steps = steps == null ? new long[all.length] : steps;
        steps[i] = own;
      }
    }
    if (steps != null && all.length > 1) {
      compare(all, steps);
    }
  }

  /** Of those that take steps each is compared with all that have its hash code. */
  private void compare(@Nullable Object[] elements, long[] steps) {
    int[] hashes = new int[elements.length];
    Map<Integer, Integer> counts = new HashMap<>();
    for (int i = 0; i < elements.length; i++) {
      if (steps[i] != 0) {
        hashes[i] = Objects.hashCode(elements[i]);
        counts.put(hashes[i], counts.getOrDefault(hashes[i], 0) + 1);
      }
    }
    for (int i = 0; i < elements.length; i++) {
      if (steps[i] != 0) {
        take(steps[i], counts.getOrDefault(hashes[i], 0) - 1L);
      }
    }
  }

  /** Views of sets and maps of the platform. */
  private static final class Views {
    private static final Class<?>[] CLASSES = {
      Collections.unmodifiableCollection(List.of()).getClass(),
      Collections.synchronizedCollection(List.of()).getClass(),
      Collections.unmodifiableMap(Map.of()).getClass(),
      Collections.synchronizedMap(Map.of()).getClass(),
      Collections.newSetFromMap(new HashMap<Object, Boolean>()).getClass()
    };
    private static final long[] FIELDS = {
      Raw.offsetOf(CLASSES[0], "c"),
      Raw.offsetOf(CLASSES[1], "c"),
      Raw.offsetOf(CLASSES[2], "m"),
      Raw.offsetOf(CLASSES[3], "m"),
      Raw.offsetOf(CLASSES[4], "m")
    };

    private Views() {}

    /** What something is a view of, or null if it is none, or that is not there yet. */
    static @Nullable Object behind(Object table) {
      for (int i = 0; i < CLASSES.length; i++) {
        if (CLASSES[i].isInstance(table)) {
          return UNSAFE.getReference(table, FIELDS[i]);
        }
      }
      return null;
    }
  }

  /** Where the components of a record are that are objects; none if its hash code is its own. */
  private static final class Components extends ClassValue<long[]> {

    static final Components OF_RECORDS = new Components();

    @Override
    protected long[] computeValue(Class<?> type) {
      RecordComponent[] all =
          hasOwnHash(type) ? new RecordComponent[0] : type.getRecordComponents();
      long[] places = new long[all.length];
      int count = 0;
      for (RecordComponent each : all) {
        if (!each.getType().isPrimitive()) {
          places[count++] = Raw.offsetOf(type, each.getName());
        }
      }
      return Arrays.copyOf(places, count);
    }

    /** The compiler of Java makes that of a record final, which hardly anybody does by hand. */
    private static boolean hasOwnHash(Class<?> type) {
      try {
        return !Modifier.isFinal(type.getMethod("hashCode").getModifiers());
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(e); // each object has one
      } catch (LinkageError e) { // another method has a class that is not there
        return false;
      }
    }
  }
}
