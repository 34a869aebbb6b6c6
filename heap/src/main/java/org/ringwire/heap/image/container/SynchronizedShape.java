package org.ringwire.heap.image.container;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Shape;

/**
 * What {@link Collections#synchronizedList} and its like make: the collection behind it, and what
 * it locks, which is nothing if it is itself. So there is no cycle where nobody has made one.
 */
final class SynchronizedShape extends ViewShape {
  private static final Class<?> COLLECTION =
      Collections.synchronizedCollection(List.of()).getClass();
  private static final Class<?> INDEXED =
      Collections.synchronizedList(new ArrayList<>()).getClass();
  private static final Class<?> LIST = INDEXED.getSuperclass();
  private static final Class<?> SET = Collections.synchronizedSet(Set.of()).getClass();
  private static final Class<?> MAP = Collections.synchronizedMap(Map.of()).getClass();

  private final long mutexField;

  private SynchronizedShape(
      Class<?> type, int tag, Class<?> behind, long mutexField, long... fields) {
    super(type, tag, behind, fields);
    this.mutexField = mutexField;
  }

  static List<Shape> all() {
    long mutex = Raw.offsetOf(COLLECTION, "mutex");
    long collection = Raw.offsetOf(COLLECTION, "c");
    long list = Raw.offsetOf(LIST, "list");
    long mapMutex = Raw.offsetOf(MAP, "mutex");
    int tag = ContainerTags.SYNCHRONIZED_VIEWS;
    return List.of(
        new SynchronizedShape(COLLECTION, tag, Collection.class, mutex, collection),
        new SynchronizedShape(LIST, tag + 1, List.class, mutex, collection, list),
        new SynchronizedShape(INDEXED, tag + 2, List.class, mutex, collection, list),
        new SynchronizedShape(SET, tag + 3, Set.class, mutex, collection),
        new SynchronizedShape(MAP, tag + 4, Map.class, mapMutex, Raw.offsetOf(MAP, "m")));
  }

  /** Those of sorted sets and maps, which have a field more for each class. */
  static List<Shape> sorted() {
    Class<?> set = Collections.synchronizedSortedSet(new TreeSet<>()).getClass();
    Class<?> map = Collections.synchronizedSortedMap(new TreeMap<>()).getClass();
    Class<?> largeSet = Collections.synchronizedNavigableSet(new TreeSet<>()).getClass();
    Class<?> largeMap = Collections.synchronizedNavigableMap(new TreeMap<>()).getClass();
    long mutex = Raw.offsetOf(COLLECTION, "mutex");
    long mapMutex = Raw.offsetOf(MAP, "mutex");
    long c = Raw.offsetOf(COLLECTION, "c");
    long ss = Raw.offsetOf(set, "ss");
    long ns = Raw.offsetOf(largeSet, "ns");
    long m = Raw.offsetOf(MAP, "m");
    long sm = Raw.offsetOf(map, "sm");
    long nm = Raw.offsetOf(largeMap, "nm");
    int tag = ContainerTags.SORTED_VIEWS;
    return List.of(
        new SynchronizedShape(set, tag, SortedSet.class, mutex, c, ss),
        new SynchronizedShape(map, tag + 1, SortedMap.class, mapMutex, m, sm),
        new SynchronizedShape(largeSet, tag + 2, NavigableSet.class, mutex, c, ss, ns),
        new SynchronizedShape(largeMap, tag + 3, NavigableMap.class, mapMutex, m, sm, nm));
  }

  @Override
  int references() {
    return 2;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // whether it is this very object
  protected long encodeReferences(Object container, int count, long a, Output out) {
    Object mutex = UNSAFE.getReference(container, mutexField);
    return out.reference(
        mutex == container ? null : mutex, super.encodeReferences(container, 1, a, out));
  }

  @Override
  protected void fill(Object container, @Nullable Object[] references) {
    super.fill(container, references);
    Object mutex = references[1] == null ? container : references[1];
    UNSAFE.putReference(container, mutexField, mutex);
  }
}
