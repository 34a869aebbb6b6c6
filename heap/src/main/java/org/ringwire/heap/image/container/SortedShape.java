package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.PriorityBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Output;

/** What has a comparator: that first, then the elements, or the keys and values by turns. */
final class SortedShape extends EntriesShape {
  private final boolean isMap;

  /** Where the comparator of a received one is; of a set, in the map behind it. */
  private final long comparatorField;

  /** Where the map behind a received set is, or -1. */
  private final long mapField;

  SortedShape(Class<?> type, int tag) {
    super(type, tag);
    isMap = Map.class.isAssignableFrom(type);
    boolean isSet = Set.class.isAssignableFrom(type);
    mapField = isSet ? Raw.offsetOf(type, "m") : -1;
    comparatorField = Raw.offsetOf(isSet ? mapBehind() : type, "comparator");
  }

  private Class<?> mapBehind() {
    return type() == TreeSet.class ? TreeMap.class : ConcurrentSkipListMap.class;
  }

  @Override
  protected int overhead() {
    return 1;
  }

  @Override
  protected int count(Object container) {
    if (container instanceof Map<?, ?> map) {
      return 1 + Math.multiplyExact(2, map.size());
    }
    return 1 + ((Collection<?>) container).size();
  }

  /** By its methods: a set may be a part of another one, with a map behind it of another class. */
  private static @Nullable Object comparatorOf(Object container) {
    return switch (container) {
      case SortedMap<?, ?> map -> map.comparator();
      case SortedSet<?> set -> set.comparator();
      case PriorityQueue<?> queue -> queue.comparator();
      default -> ((PriorityBlockingQueue<?>) container).comparator();
    };
  }

  @Override
  protected long encodeReferences(Object container, int count, long a, Output out) {
    long at = out.reference(comparatorOf(container), a);
    if (container instanceof Map<?, ?> map) {
      return encodeEntries(map, count - 1, at, out);
    }
    Iterator<?> elements = ((Collection<?>) container).iterator();
    for (int i = 1; i < count; i++) {
      if (!elements.hasNext()) {
        throw changed(null);
      }
      at = out.reference(elements.next(), at);
    }
    if (elements.hasNext()) {
      throw changed(null);
    }
    return at;
  }

  @Override
  protected Object create(int count, int setting) {
    if (type() == TreeMap.class) {
      return new TreeMap<>();
    }
    if (type() == TreeSet.class) {
      return new TreeSet<>();
    }
    return type() == PriorityQueue.class ? new PriorityQueue<>() : createConcurrent();
  }

  private Object createConcurrent() {
    if (type() == ConcurrentSkipListMap.class) {
      return new ConcurrentSkipListMap<>();
    }
    return type() == ConcurrentSkipListSet.class
        ? new ConcurrentSkipListSet<>()
        : new PriorityBlockingQueue<>();
  }

  /** The comparator, too. */
  @Override
  protected boolean isKey(int index) {
    return !isMap || index == 0 || index % 2 != 0;
  }

  @Override
  protected boolean isSorted() {
    return true;
  }

  @Override
  protected boolean isInOrder(Object container, @Nullable Object[] references) {
    if (!isMap && mapField < 0) {
      return isHeap(((Collection<?>) container).toArray(), references[0]);
    }
    for (int i = 1; i < references.length; i++) {
      if (isKey(i) && !hasKey(container, references[i])) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked")
  private static boolean isHeap(Object[] queue, @Nullable Object comparator) {
    Comparator<Object> order =
        comparator == null
            ? (Comparator<Object>) (Comparator<?>) Comparator.naturalOrder()
            : (Comparator<Object>) comparator;
    for (int i = 1; i < queue.length; i++) {
      if (order.compare(queue[(i - 1) / 2], queue[i]) > 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  @SuppressWarnings("unchecked")
  protected void fill(Object container, @Nullable Object[] references) {
    if (references.length == 0) {
      throw new DecodingException("no place for a comparator: class=" + type().getName());
    }
    setComparator(container, references[0]);
    if (isMap) {
      if (references.length % 2 == 0) {
        throw new DecodingException("a key has no value: class=" + type().getName());
      }
      for (int i = 1; i < references.length; i += 2) {
        ((Map<@Nullable Object, @Nullable Object>) container).put(references[i], references[i + 1]);
      }
      return;
    }
    for (int i = 1; i < references.length; i++) {
      ((Collection<@Nullable Object>) container).add(references[i]);
    }
  }

  private void setComparator(Object container, @Nullable Object comparator) {
    if (comparator == null) {
      return;
    }
    if (!(comparator instanceof Comparator)) {
      throw new DecodingException(
          "not a comparator: class="
              + type().getName()
              + " found="
              + comparator.getClass().getName());
    }
    Object comparing = mapField < 0 ? container : UNSAFE.getReference(container, mapField);
    UNSAFE.putReference(comparing, comparatorField, comparator);
  }
}
