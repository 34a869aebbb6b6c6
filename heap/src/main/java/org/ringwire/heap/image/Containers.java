package org.ringwire.heap.image;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** The collections and maps that images know, with their tags, which are part of the format. */
@SuppressWarnings("JdkObsolete") // to be sent, not to be used
final class Containers {
  private static final int SORTED = Tags.CONTAINERS + 24;
  private static final int ENUMS = SORTED + 4;
  private static final int UNMODIFIABLE = ENUMS + 4;

  private enum One {
    ONLY
  }

  private Containers() {}

  static List<Shape> all() {
    List<Shape> shapes = new ArrayList<>();
    addCollections(shapes);
    shapes.add(new MapShape(HashMap.class, MapShape.HASH_MAP));
    shapes.add(new MapShape(LinkedHashMap.class, MapShape.LINKED_HASH_MAP));
    shapes.add(new MapShape(IdentityHashMap.class, MapShape.IDENTITY_HASH_MAP));
    shapes.add(new MapShape(ConcurrentHashMap.class, MapShape.CONCURRENT_HASH_MAP));
    shapes.add(new MapShape(Hashtable.class, MapShape.HASHTABLE));
    shapes.add(new SortedShape(TreeMap.class, SORTED));
    shapes.add(new SortedShape(TreeSet.class, SORTED + 1));
    shapes.add(new SortedShape(PriorityQueue.class, SORTED + 2));
    shapes.add(new EnumMapShape(ENUMS));
    shapes.add(new EnumSetShape(EnumSet.noneOf(One.class).getClass(), ENUMS + 1));
    addUnmodifiable(shapes);
    shapes.addAll(SynchronizedShape.all());
    shapes.addAll(UnmodifiableViewShape.all());
    return shapes;
  }

  private static void addCollections(List<Shape> shapes) {
    shapes.add(new CollectionShape(ArrayList.class, CollectionShape.ARRAY_LIST));
    shapes.add(new CollectionShape(LinkedList.class, CollectionShape.LINKED_LIST));
    shapes.add(new CollectionShape(ArrayDeque.class, CollectionShape.ARRAY_DEQUE));
    shapes.add(new CollectionShape(Vector.class, CollectionShape.VECTOR));
    shapes.add(new CollectionShape(Stack.class, CollectionShape.STACK));
    shapes.add(new CollectionShape(CopyOnWriteArrayList.class, CollectionShape.COPY_ON_WRITE_LIST));
    shapes.add(new CollectionShape(HashSet.class, CollectionShape.HASH_SET));
    shapes.add(new CollectionShape(LinkedHashSet.class, CollectionShape.LINKED_HASH_SET));
    shapes.add(new CollectionShape(ConcurrentLinkedQueue.class, CollectionShape.CONCURRENT_QUEUE));
    shapes.add(new CollectionShape(ConcurrentLinkedDeque.class, CollectionShape.CONCURRENT_DEQUE));
  }

  /**
   * What {@code List.of} and its like make: two classes of each kind, by the number of elements,
   * and one for parts of lists, which nobody can tell from lists.
   */
  private static void addUnmodifiable(List<Shape> shapes) {
    shapes.add(new UnmodifiableShape(List.of(1).getClass(), UNMODIFIABLE));
    shapes.add(new UnmodifiableShape(List.of(1, 2, 3).getClass(), UNMODIFIABLE));
    shapes.add(new UnmodifiableShape(List.of(1, 2, 3).subList(0, 2).getClass(), UNMODIFIABLE));
    shapes.add(new UnmodifiableShape(Set.of(1).getClass(), UNMODIFIABLE + 1));
    shapes.add(new UnmodifiableShape(Set.of(1, 2, 3).getClass(), UNMODIFIABLE + 1));
    shapes.add(new UnmodifiableShape(Map.of(1, 1).getClass(), UNMODIFIABLE + 2));
    shapes.add(new UnmodifiableShape(Map.of(1, 1, 2, 2).getClass(), UNMODIFIABLE + 2));
  }
}
