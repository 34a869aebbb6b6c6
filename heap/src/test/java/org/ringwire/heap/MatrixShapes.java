package org.ringwire.heap;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.Samples.AllWidths;
import org.ringwire.heap.Samples.Circle;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.heap.Samples.Node;
import org.ringwire.heap.Samples.Pair;
import org.ringwire.heap.Samples.Person;
import org.ringwire.heap.Samples.Point;
import org.ringwire.heap.Samples.Square;
import org.ringwire.heap.Samples.Tree;

/** The shapes that graphs have: each is copied with every kind of heap. */
final class MatrixShapes {
  private static final int LONG = 500_000;

  private MatrixShapes() {}

  /** Graphs by name, in which nothing is shared; new ones. */
  static Map<String, @Nullable Object> trees() {
    Map<String, @Nullable Object> trees = new LinkedHashMap<>();
    trees.put("null", null);
    trees.put("empty arrays", emptyArrays());
    trees.put("huge arrays", hugeArrays());
    trees.put("points and pairs", pointsAndPairs());
    trees.put("all widths", allWidths());
    trees.put("records", records());
    trees.put("polymorphic fields", polymorphic());
    trees.put("full tree", Tree.ofDepth(14));
    trees.put("deep tree", deepTree(8_000));
    trees.put("wide map", wideMap());
    trees.put("collections", collections());
    trees.put("strings", strings());
    return trees;
  }

  /** Graphs by name that need the detection of cycles; new ones. */
  static Map<String, Object> others() {
    Map<String, Object> others = new LinkedHashMap<>();
    Node loop = new Node(1, null);
    loop.next = loop;
    others.put("self-loop", loop);
    others.put("array in itself", arrayInItself());
    others.put("shared", shared());
    others.put("list", Samples.list(300_000));
    others.put("very deep tree", deepTree(100_000));
    others.put("some of all", Samples.someOfAll());
    return others;
  }

  private static Object[] emptyArrays() {
    return new Object[] {
      new boolean[0],
      new byte[0],
      new char[0],
      new short[0],
      new int[0],
      new long[0],
      new float[0],
      new double[0],
      new Object[0],
      new Point[0],
      new int[0][0]
    };
  }

  private static Object[] hugeArrays() {
    float[] floats = new float[LONG];
    byte[] bytes = new byte[LONG];
    for (int i = 0; i < LONG; i++) {
      floats[i] = i / 3f;
      bytes[i] = (byte) i;
    }
    Object[] sparse = new Object[LONG / 4];
    sparse[LONG / 8] = new Circle(1);
    return new Object[] {floats, bytes, sparse};
  }

  private static Object[] pointsAndPairs() {
    Point[] points = new Point[5000];
    Pair[] pairs = new Pair[5000];
    for (int i = 0; i < points.length; i++) {
      points[i] = i % 1000 == 999 ? null : new Point(i, i / 7f);
      pairs[i] = new Pair(i, "w" + "ord".repeat(i % 30));
    }
    return new Object[] {points, pairs};
  }

  private static Object[] allWidths() {
    Object[] all = new Object[1000];
    Arrays.setAll(all, i -> new AllWidths(i * 0x1234_5678_9ABCL, new int[] {i}));
    return all;
  }

  private static Object[] records() {
    Object[] all = new Object[1000];
    Arrays.setAll(
        all,
        i ->
            new Person(
                "name " + i, i, new Person("é" + i, -i, null, tags("f" + i)), tags("p" + i)));
    return all;
  }

  private static List<String> tags(String tag) {
    return new ArrayList<>(List.of(tag));
  }

  private static Object[] polymorphic() {
    Samples.Shape[] shapes = new Samples.Shape[1000];
    Arrays.setAll(shapes, i -> i % 3 == 0 ? new Circle(i) : new Square(i, Colour.GREEN));
    Object[] any = new Object[1000];
    Arrays.setAll(
        any,
        i ->
            switch (i % 5) {
              case 0 -> new Circle(i);
              case 1 -> new AllWidths(i, new Square(i, Colour.RED));
              case 2 -> new long[] {i};
              case 3 -> Colour.RED;
              default -> new Pair(i, "x");
            });
    return new Object[] {shapes, any};
  }

  private static Tree deepTree(int depth) {
    Tree tree = new Tree();
    for (int i = 1; i < depth; i++) {
      Tree parent = new Tree();
      parent.value = i;
      if (i % 2 == 0) {
        parent.left = tree;
      } else {
        parent.right = tree;
      }
      tree = parent;
    }
    return tree;
  }

  private static Map<Object, Object> wideMap() {
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      map.put("key " + i, new Point(i, i));
    }
    return map;
  }

  private static Object[] collections() {
    EnumMap<Colour, Object> byColour = new EnumMap<>(Colour.class);
    byColour.put(Colour.GREEN, new Point(1, 2));
    return new Object[] {
      new ArrayList<>(List.of("a1", "a2")),
      new ArrayList<>(),
      new ArrayDeque<>(List.of(new Point(1, 1), new Point(2, 2))),
      new HashSet<>(List.of("b1", "b2", "b3")),
      new LinkedHashSet<>(List.of("c2", "c1")),
      new TreeSet<>(List.of("d1", "d2")),
      new HashMap<>(Map.of("e1", new Pair(1, "e"))),
      new TreeMap<>(Map.of("f1", new Pair(2, "f"))),
      byColour,
      List.of("g1", "g2", "g3"),
      Map.of("h1", new Circle(1))
    };
  }

  private static String[] strings() {
    return new String[] {
      "plain",
      "caf\u00e9",
      "\u20ac and \ud83d\ude00",
      "x".repeat(100_000),
      "\u20ac".repeat(50_000),
      null
    };
  }

  private static Object[] arrayInItself() {
    Object[] array = new Object[3];
    array[1] = array;
    return array;
  }

  private static Object[] shared() {
    Point point = new Point(1, 2);
    Tree bottom = new Tree();
    Tree left = new Tree();
    left.left = bottom;
    Tree top = new Tree();
    top.left = left;
    top.right = bottom;
    return new Object[] {point, top, point, bottom, new Object[] {point, left}};
  }
}
