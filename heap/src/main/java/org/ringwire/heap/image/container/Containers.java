package org.ringwire.heap.image.container;

import java.util.ArrayDeque;
import java.util.ArrayList;
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
import org.ringwire.heap.image.shape.Shape;

/** The collections and maps that images know, but for {@linkplain RareContainers rare} ones. */
@SuppressWarnings("JdkObsolete") // to be sent, not to be used
public final class Containers {
  private Containers() {}

  /** Those that most graphs have: one for each class. */
  public static List<Shape> plain() {
    List<Shape> shapes = new ArrayList<>();
    addCollections(shapes);
    shapes.add(new MapShape(HashMap.class, ContainerTags.HASH_MAP));
    shapes.add(new MapShape(LinkedHashMap.class, ContainerTags.LINKED_HASH_MAP));
    shapes.add(new MapShape(IdentityHashMap.class, ContainerTags.IDENTITY_HASH_MAP));
    shapes.add(new MapShape(ConcurrentHashMap.class, ContainerTags.CONCURRENT_HASH_MAP));
    shapes.add(new MapShape(Hashtable.class, ContainerTags.HASHTABLE));
    return shapes;
  }

  /** Whether the shape with a tag is one of these. */
  public static boolean isPlain(int tag) {
    return tag < ContainerTags.TREE_MAP;
  }

  /** The others, whose classes are not loaded because a graph has a list. */
  public static List<Shape> others() {
    List<Shape> shapes = new ArrayList<>();
    shapes.add(new SortedShape(TreeMap.class, ContainerTags.TREE_MAP));
    shapes.add(new SortedShape(TreeSet.class, ContainerTags.TREE_SET));
    shapes.add(new SortedShape(PriorityQueue.class, ContainerTags.PRIORITY_QUEUE));
    shapes.add(new EnumMapShape(ContainerTags.ENUM_MAP));
    shapes.add(EnumSetShape.of("java.util.RegularEnumSet", ContainerTags.ENUM_SET));
    addUnmodifiable(shapes);
    shapes.addAll(SynchronizedShape.all());
    shapes.addAll(UnmodifiableViewShape.all());
    return shapes;
  }

  private static void addCollections(List<Shape> shapes) {
    shapes.add(new CollectionShape(ArrayList.class, ContainerTags.ARRAY_LIST));
    shapes.add(new CollectionShape(LinkedList.class, ContainerTags.LINKED_LIST));
    shapes.add(new CollectionShape(ArrayDeque.class, ContainerTags.ARRAY_DEQUE));
    shapes.add(new CollectionShape(Vector.class, ContainerTags.VECTOR));
    shapes.add(new CollectionShape(Stack.class, ContainerTags.STACK));
    shapes.add(new CollectionShape(CopyOnWriteArrayList.class, ContainerTags.COPY_ON_WRITE_LIST));
    shapes.add(new CollectionShape(HashSet.class, ContainerTags.HASH_SET));
    shapes.add(new CollectionShape(LinkedHashSet.class, ContainerTags.LINKED_HASH_SET));
    shapes.add(new CollectionShape(ConcurrentLinkedQueue.class, ContainerTags.CONCURRENT_QUEUE));
    shapes.add(new CollectionShape(ConcurrentLinkedDeque.class, ContainerTags.CONCURRENT_DEQUE));
  }

  /**
   * What {@code List.of} and its like make: two classes of each kind, by the number of elements,
   * and one for parts of lists, which nobody can tell from lists.
   */
  private static void addUnmodifiable(List<Shape> shapes) {
    shapes.add(new UnmodifiableShape(List.of(1).getClass(), ContainerTags.UNMODIFIABLE));
    shapes.add(new UnmodifiableShape(List.of(1, 2, 3).getClass(), ContainerTags.UNMODIFIABLE));
    shapes.add(
        new UnmodifiableShape(
            List.of(1, 2, 3).subList(0, 2).getClass(), ContainerTags.UNMODIFIABLE));
    shapes.add(new UnmodifiableShape(Set.of(1).getClass(), ContainerTags.UNMODIFIABLE + 1));
    shapes.add(new UnmodifiableShape(Set.of(1, 2, 3).getClass(), ContainerTags.UNMODIFIABLE + 1));
    shapes.add(new UnmodifiableShape(Map.of(1, 1).getClass(), ContainerTags.UNMODIFIABLE + 2));
    shapes.add(
        new UnmodifiableShape(Map.of(1, 1, 2, 2).getClass(), ContainerTags.UNMODIFIABLE + 2));
  }
}
