package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/** What has a comparator: that first, then the elements, or the keys and values by turns. */
final class SortedShape extends ContainerShape {
  private static final long MAP_COMPARATOR = Raw.offsetOf(TreeMap.class, "comparator");
  private static final long SET_MAP = Raw.offsetOf(TreeSet.class, "m");
  private static final long QUEUE_COMPARATOR = Raw.offsetOf(PriorityQueue.class, "comparator");

  SortedShape(Class<?> type, int tag) {
    super(type, tag);
  }

  @Override
  int count(Object container) {
    if (container instanceof TreeMap<?, ?> map) {
      return 1 + Math.multiplyExact(2, map.size());
    }
    return 1 + ((Collection<?>) container).size();
  }

  private static @Nullable Object comparatorOf(Object container) {
    if (container instanceof TreeMap<?, ?> map) {
      return map.comparator();
    }
    return container instanceof TreeSet<?> set
        ? set.comparator()
        : ((PriorityQueue<?>) container).comparator();
  }

  @Override
  long encodeReferences(Object container, int count, long a, Encoder e) {
    long at = e.reference(comparatorOf(container), a);
    boolean isMap = container instanceof TreeMap;
    Iterator<?> elements =
        isMap
            ? ((TreeMap<?, ?>) container).entrySet().iterator()
            : ((Collection<?>) container).iterator();
    for (int i = 1; i < count; i += isMap ? 2 : 1) {
      if (!elements.hasNext()) {
        throw changed(null);
      }
      Object element = elements.next();
      if (isMap) {
        at = e.reference(((Map.Entry<?, ?>) element).getKey(), at);
        at = e.reference(((Map.Entry<?, ?>) element).getValue(), at);
      } else {
        at = e.reference(element, at);
      }
    }
    if (elements.hasNext()) {
      throw changed(null);
    }
    return at;
  }

  @Override
  Object create(int count, int setting) {
    if (type == TreeMap.class) {
      return new TreeMap<>();
    }
    return type == TreeSet.class ? new TreeSet<>() : new PriorityQueue<>();
  }

  /** The comparator, too. */
  @Override
  boolean isKey(int index) {
    return type != TreeMap.class || index == 0 || index % 2 != 0;
  }

  @Override
  boolean isInOrder(Object container, @Nullable Object[] references) {
    if (container instanceof PriorityQueue<?> queue) {
      return isHeap(queue.toArray(), references[0]);
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
  void fill(Object container, @Nullable Object[] references) {
    if (references.length == 0) {
      throw new DecodingException("no place for a comparator: class=" + type.getName());
    }
    setComparator(container, references[0]);
    if (container instanceof TreeMap<?, ?> map) {
      if (references.length % 2 == 0) {
        throw new DecodingException("a key has no value: class=" + type.getName());
      }
      for (int i = 1; i < references.length; i += 2) {
        ((TreeMap<@Nullable Object, @Nullable Object>) map).put(references[i], references[i + 1]);
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
              + type.getName()
              + " found="
              + comparator.getClass().getName());
    }
    if (container instanceof PriorityQueue) {
      UNSAFE.putReference(container, QUEUE_COMPARATOR, comparator);
    } else {
      Object map =
          container instanceof TreeSet ? UNSAFE.getReference(container, SET_MAP) : container;
      UNSAFE.putReference(map, MAP_COMPARATOR, comparator);
    }
  }
}
