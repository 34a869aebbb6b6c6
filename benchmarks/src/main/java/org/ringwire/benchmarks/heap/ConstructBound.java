package org.ringwire.benchmarks.heap;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * No serializer: what the JVM takes to read, and to allocate and fill, the objects of a shape that
 * is known when this is compiled. Numbers and letters are kept in arrays, so nothing is parsed,
 * checked or looked up.
 */
final class ConstructBound implements Serializer {
  private final boolean arePairs;
  private final int[] numbers;
  private final int[] others;
  private final char[] letters;
  private int length;

  ConstructBound(String shape, int elements) {
    this.arePairs = shape.equals("pairs");
    this.numbers = new int[elements];
    this.others = new int[elements];
    this.letters = new char[arePairs ? Graph.WORD_LENGTH * elements : 0];
  }

  @Override
  public long encode(Object graph) {
    return arePairs ? encodePairs((Graph.Pair[]) graph) : encodePoints((Graph.Point[]) graph);
  }

  private long encodePoints(Graph.Point[] points) {
    length = points.length;
    for (int i = 0; i < points.length; i++) {
      numbers[i] = points[i].x;
      others[i] = Float.floatToRawIntBits(points[i].y);
    }
    return 2L * Integer.BYTES * length;
  }

  private long encodePairs(Graph.Pair[] pairs) {
    length = pairs.length;
    int at = 0;
    for (int i = 0; i < pairs.length; i++) {
      char[] word = pairs[i].word;
      numbers[i] = pairs[i].number;
      others[i] = word.length;
      System.arraycopy(word, 0, letters, at, word.length);
      at += word.length;
    }
    return 2L * Integer.BYTES * length + (long) Character.BYTES * at;
  }

  @Override
  public Object decode() {
    return arePairs ? decodePairs() : decodePoints();
  }

  private Object decodePoints() {
    Graph.Point[] points = new Graph.Point[length];
    for (int i = 0; i < points.length; i++) {
      Graph.Point point = new Graph.Point();
      point.x = numbers[i];
      point.y = Float.intBitsToFloat(others[i]);
      points[i] = point;
    }
    return points;
  }

  private Object decodePairs() {
    Graph.Pair[] pairs = new Graph.Pair[length];
    int at = 0;
    for (int i = 0; i < pairs.length; i++) {
      Graph.Pair pair = new Graph.Pair();
      pair.number = numbers[i];
      pair.word = Arrays.copyOfRange(letters, at, at + others[i]);
      at += others[i];
      pairs[i] = pair;
    }
    return pairs;
  }

  @Override
  public MemorySegment image() {
    return MemorySegment.ofArray(numbers);
  }

  @Override
  public Object decode(MemorySegment image) {
    throw new UnsupportedOperationException("a bound is not sent");
  }
}
