package org.ringwire.heap.image.shape;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;

/**
 * How many steps the hash codes of keys take, counted before they are asked for. A list that holds
 * a list twice, which holds another one twice, and so on, takes twice as many with each level: a
 * few hundred bytes of an image could keep a thread for ever. In a graph nothing of which is
 * referred to again there are at most as many as objects around each key, and nobody counts.
 *
 * <p>Steps go into collections and maps of the platform, and into records that compute their hash
 * code from their components; what methods of other classes do is theirs to bound. For one thread.
 */
final class KeySteps {

  /** For all keys of a graph together, beside what its collections allow. */
  private static final long FREE = 1 << 24;

  /** Honest keys may share what they hold, and be looked at again in other orders. */
  private static final long PER_REFERENCE = 64;

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
    for (int i = 0; i < references.length; i++) {
      if (shape.isKey(i)) {
        step(references[i]);
      }
    }
  }

  /** Goes as deep as the hash code itself would. */
  private void step(@Nullable Object o) {
    if (++taken > most) {
      throw new DecodingException(
          "keys of collections share so much of what they hold that their hash codes would take"
              + " too long: steps="
              + most);
    }
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
      case Set<?> set -> stepOver(set);
      case IdentityHashMap<?, ?> _ -> {} // asks nothing of what it holds
      case Map<?, ?> map -> stepOver(map.entrySet());
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
