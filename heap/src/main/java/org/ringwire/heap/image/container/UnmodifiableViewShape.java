package org.ringwire.heap.image.container;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Shape;

/**
 * What {@link Collections#unmodifiableList} and its like make, and what {@code List.of} arrives as.
 */
final class UnmodifiableViewShape extends ViewShape {
  private static final Class<?> COLLECTION =
      Collections.unmodifiableCollection(List.of()).getClass();
  private static final Class<?> INDEXED =
      Collections.unmodifiableList(new ArrayList<>()).getClass();
  private static final Class<?> LIST = INDEXED.getSuperclass();
  private static final Class<?> SET = Collections.unmodifiableSet(Set.of()).getClass();
  private static final Class<?> SORTED_SET =
      Collections.unmodifiableSortedSet(new TreeSet<>()).getClass();
  private static final Class<?> MAP = Collections.unmodifiableMap(Map.of()).getClass();
  private static final Class<?> SORTED_MAP =
      Collections.unmodifiableSortedMap(new TreeMap<>()).getClass();

  private UnmodifiableViewShape(Class<?> type, int tag, Class<?> behind, long... fields) {
    super(type, tag, behind, fields);
  }

  static List<Shape> all() {
    long collection = Raw.offsetOf(COLLECTION, "c");
    long list = Raw.offsetOf(LIST, "list");
    long sortedSet = Raw.offsetOf(SORTED_SET, "ss");
    long map = Raw.offsetOf(MAP, "m");
    long sortedMap = Raw.offsetOf(SORTED_MAP, "sm");
    int tag = ContainerTags.UNMODIFIABLE_VIEWS;
    return List.of(
        new UnmodifiableViewShape(COLLECTION, tag, Collection.class, collection),
        new UnmodifiableViewShape(LIST, tag + 1, List.class, collection, list),
        new UnmodifiableViewShape(INDEXED, tag + 2, List.class, collection, list),
        new UnmodifiableViewShape(SET, tag + 3, Set.class, collection),
        new UnmodifiableViewShape(SORTED_SET, tag + 4, SortedSet.class, collection, sortedSet),
        new UnmodifiableViewShape(MAP, tag + 5, Map.class, map),
        new UnmodifiableViewShape(SORTED_MAP, tag + 6, SortedMap.class, map, sortedMap));
  }

  /** Those of what has a first and a last one, beyond lists and sorted ones. */
  static List<Shape> sequenced() {
    Class<?> largeSet = Collections.unmodifiableNavigableSet(new TreeSet<>()).getClass();
    Class<?> largeMap = Collections.unmodifiableNavigableMap(new TreeMap<>()).getClass();
    Class<?> all = Collections.unmodifiableSequencedCollection(new ArrayList<>()).getClass();
    Class<?> set = Collections.unmodifiableSequencedSet(new LinkedHashSet<>()).getClass();
    Class<?> map = Collections.unmodifiableSequencedMap(new LinkedHashMap<>()).getClass();
    long c = Raw.offsetOf(COLLECTION, "c");
    long ss = Raw.offsetOf(SORTED_SET, "ss");
    long ns = Raw.offsetOf(largeSet, "ns");
    long m = Raw.offsetOf(MAP, "m");
    long sm = Raw.offsetOf(SORTED_MAP, "sm");
    long nm = Raw.offsetOf(largeMap, "nm");
    int tag = ContainerTags.SEQUENCED_VIEWS;
    return List.of(
        new UnmodifiableViewShape(largeSet, tag, NavigableSet.class, c, ss, ns),
        new UnmodifiableViewShape(largeMap, tag + 1, NavigableMap.class, m, sm, nm),
        new UnmodifiableViewShape(all, tag + 2, SequencedCollection.class, c),
        new UnmodifiableViewShape(set, tag + 3, SequencedSet.class, c),
        new UnmodifiableViewShape(map, tag + 4, SequencedMap.class, m));
  }
}
