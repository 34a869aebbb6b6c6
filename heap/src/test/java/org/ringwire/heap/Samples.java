package org.ringwire.heap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Classes that tests send; nothing about them is made for it. */
final class Samples {
  private Samples() {}

  static final class Point {
    int x;
    float y;

    Point(int x, float y) {
      this.x = x;
      this.y = y;
    }
  }

  static final class Pair {
    int number;
    char @Nullable [] word;

    Pair(int number, String word) {
      this.number = number;
      this.word = word.toCharArray();
    }

    static Pair withoutWord(int number) {
      Pair pair = new Pair(number, "");
      pair.word = null;
      return pair;
    }
  }

  static final class Node {
    long value;
    @Nullable Node next;

    Node(long value, @Nullable Node next) {
      this.value = value;
      this.next = next;
    }
  }

  /** All widths, with a gap that the class below fills or not. */
  static class Widths {
    boolean flag;
    byte small;
    long wide;
    char letter;

    Widths(long seed) {
      flag = (seed & 1) != 0;
      small = (byte) seed;
      wide = seed * 31;
      letter = (char) seed;
    }
  }

  static class MoreWidths extends Widths {
    short other;
    double real;
    boolean second;
    final @Nullable Object anything;

    MoreWidths(long seed, @Nullable Object anything) {
      super(seed);
      other = (short) (seed >> 3);
      real = seed / 7.0;
      second = !flag;
      this.anything = anything;
    }
  }

  static final class AllWidths extends MoreWidths {
    float part;
    int whole;
    byte last;
    boolean third;
    final String text;

    AllWidths(long seed, @Nullable Object anything) {
      super(seed, anything);
      part = seed / 3f;
      whole = (int) seed;
      last = (byte) (seed >> 5);
      third = (seed & 2) != 0;
      text = "seed " + seed;
    }
  }

  record Person(String name, int age, @Nullable Person friend, List<String> tags) {}

  enum Colour {
    RED,
    GREEN {
      @Override
      String shade() {
        return "leaf";
      }
    };

    String shade() {
      return "none";
    }
  }

  enum Empty {}

  sealed interface Shape permits Circle, Square {}

  record Circle(double radius) implements Shape {}

  record Square(int side, Colour colour) implements Shape {}

  static final class Drawing {
    final Shape[] shapes;
    final Map<String, Shape> byName = new HashMap<>();
    @Nullable Object extra;

    Drawing(Shape... shapes) {
      this.shapes = shapes;
      for (int i = 0; i < shapes.length; i++) {
        byName.put("shape " + i, shapes[i]);
      }
    }
  }

  /** More references and words than the template has constants for. */
  static final class Wide {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9;
    @Nullable Object r0, r1, r2, r3, r4, r5, r6, r7, r8, r9;
    @Nullable String s0, s1;
  }

  /** Has references that are small as a rule, so that many in an array are read in one go. */
  static final class Entry {
    int id;
    long stamp;
    @Nullable String name;
    short @Nullable [] numbers;
    byte @Nullable [] data;
  }

  /** Some are null, or have something that is missing, wide, or not small any more. */
  static @Nullable Entry[] entries(int count) {
    @Nullable Entry[] entries = new @Nullable Entry[count];
    for (int i = 0; i < count; i++) {
      if (i % 23 != 22) {
        entries[i] = entry(i);
      }
    }
    return entries;
  }

  private static Entry entry(int number) {
    Entry entry = new Entry();
    entry.id = number;
    entry.stamp = number * 0x9E3779B97F4A7C15L;
    String letter = number % 17 == 16 ? "\u4e00" : "n";
    entry.name = number % 19 == 18 ? null : number + letter.repeat(number % 64);
    entry.numbers = number % 13 == 12 ? null : new short[number % 34];
    entry.data = number % 29 == 28 ? null : new byte[number % 66];
    for (int i = 0; entry.numbers != null && i < entry.numbers.length; i++) {
      entry.numbers[i] = (short) (number * i);
    }
    for (int i = 0; entry.data != null && i < entry.data.length; i++) {
      entry.data[i] = (byte) (number + i);
    }
    return entry;
  }

  /** Refers only to what refers to nothing, or to {@link Point}, which images declare. */
  static final class Label {
    long id;
    int count;
    boolean isNew;
    @Nullable String text;
    int @Nullable [] numbers;
    @Nullable Point at;
  }

  /** Refers only to labels, so objects nest no deeper than two levels. */
  static final class Box {
    byte kind;
    @Nullable Label front;
    @Nullable Label back;
  }

  /** A box with something missing that the seed says. */
  static Box box(int seed) {
    Box box = new Box();
    box.kind = (byte) seed;
    box.front = (seed & 1) == 0 ? label(seed) : null;
    box.back = (seed & 2) == 0 ? label(~seed) : null;
    return box;
  }

  private static Label label(int seed) {
    Label label = new Label();
    label.id = seed * 0x9E3779B97F4A7C15L;
    label.count = seed;
    label.isNew = (seed & 4) == 0;
    label.text = (seed & 8) == 0 ? "label " + seed : null;
    label.numbers = (seed & 16) == 0 ? new int[] {seed, -seed, 7} : null;
    label.at = (seed & 32) == 0 ? new Point(seed, 0.5f) : null;
    return label;
  }

  static final class Tree {
    @Nullable Tree left;
    @Nullable Tree right;
    int value;

    static @Nullable Tree ofDepth(int depth) {
      if (depth == 0) {
        return null;
      }
      Tree tree = new Tree();
      tree.left = ofDepth(depth - 1);
      tree.right = ofDepth(depth - 1);
      tree.value = depth;
      return tree;
    }
  }

  /** A key whose hash code is its identity. */
  static final class IdentityKey {
    int number;

    IdentityKey(int number) {
      this.number = number;
    }
  }

  static final class Checked implements Validated {
    int from;
    int to;

    Checked(int from, int to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public void validate() {
      if (from > to) {
        throw new IllegalStateException("from=" + from + " to=" + to);
      }
    }
  }

  static Node list(int length) {
    Node head = new Node(0, null);
    for (int i = 1; i < length; i++) {
      head = new Node(i, head);
    }
    return head;
  }

  static List<Object> someOfAll() {
    Drawing drawing = new Drawing(new Circle(2.5), new Square(3, Colour.GREEN));
    drawing.extra = drawing;
    Wide wide = new Wide();
    wide.a0 = 1;
    wide.a9 = -9;
    wide.r0 = drawing;
    wide.r9 = wide;
    wide.s1 = "last";
    List<Object> all = new ArrayList<>();
    all.add(drawing);
    all.add(wide);
    all.add(new AllWidths(123_456_789_012L, new int[][] {{1}, {}, {2, 3}}));
    all.add(new Person("Ada", 36, new Person("Bob", 1, null, List.of()), List.of("x", "y")));
    all.add(all);
    return all;
  }
}
