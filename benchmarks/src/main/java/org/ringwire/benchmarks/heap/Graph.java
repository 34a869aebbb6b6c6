package org.ringwire.benchmarks.heap;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is copied: the data of the paper on Naos, and two collections. */
public final class Graph {
  static final List<String> SHAPES = List.of("floats", "points", "pairs", "list", "map");
  static final int WORD_LENGTH = 5;

  private static final char[] NO_LETTERS = {};

  private Graph() {}

  static final class Point implements Serializable {
    private static final long serialVersionUID = 1;

    int x;
    float y;
  }

  static final class Pair implements Serializable {
    private static final long serialVersionUID = 1;

    int number;
    char[] word = NO_LETTERS;
  }

  /** A new graph; of the same shape and length always the same. */
  public static Object of(String shape, int elements) {
    return switch (shape) {
      case "floats" -> floats(elements);
      case "points" -> points(elements);
      case "pairs" -> pairs(elements);
      case "list" -> list(elements);
      case "map" -> map(elements);
      case String generated when GeneratedClass.isGenerated(generated) ->
          GeneratedClass.graph(generated, elements);
      default -> throw new IllegalArgumentException("no such shape: " + shape);
    };
  }

  private static float[] floats(int elements) {
    float[] floats = new float[elements];
    for (int i = 0; i < elements; i++) {
      floats[i] = i / 3f;
    }
    return floats;
  }

  private static Point[] points(int elements) {
    Point[] points = new Point[elements];
    for (int i = 0; i < elements; i++) {
      points[i] = new Point();
      points[i].x = i;
      points[i].y = i / 3f;
    }
    return points;
  }

  private static Pair[] pairs(int elements) {
    Pair[] pairs = new Pair[elements];
    for (int i = 0; i < elements; i++) {
      pairs[i] = new Pair();
      pairs[i].number = i;
      pairs[i].word = word(i);
    }
    return pairs;
  }

  private static char[] word(int number) {
    char[] word = new char[WORD_LENGTH];
    int rest = number;
    for (int i = 0; i < WORD_LENGTH; i++) {
      word[i] = (char) ('a' + rest % 26);
      rest /= 26;
    }
    return word;
  }

  private static List<String> list(int elements) {
    List<String> list = new ArrayList<>(elements);
    for (int i = 0; i < elements; i++) {
      list.add("element " + i);
    }
    return list;
  }

  private static Map<Integer, String> map(int elements) {
    Map<Integer, String> map = HashMap.newHashMap(elements);
    for (int i = 0; i < elements; i++) {
      map.put(i, "value " + i);
    }
    return map;
  }

  /** Whether a copy has what the original has. */
  static boolean isSame(Object original, Object copy) {
    if (original instanceof float[] floats) {
      return copy instanceof float[] others && Arrays.equals(floats, others);
    }
    if (original instanceof Object[] objects) {
      boolean isSame = copy instanceof Object[] others && others.length == objects.length;
      for (int i = 0; isSame && i < objects.length; i++) {
        isSame = isSameElement(objects[i], ((Object[]) copy)[i]);
      }
      return isSame;
    }
    return original.equals(copy);
  }

  private static boolean isSameElement(Object original, Object copy) {
    if (original instanceof Point point) {
      return copy instanceof Point other && point.x == other.x && point.y == other.y;
    }
    if (!(original instanceof Pair)) {
      return GeneratedClass.isSame(original, copy);
    }
    return original instanceof Pair pair
        && copy instanceof Pair other
        && pair.number == other.number
        && Arrays.equals(pair.word, other.word);
  }
}
