package org.ringwire.heap.image;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import jdk.internal.misc.Unsafe;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.ringwire.benchmarks.heap.IntervalTree;
import org.ringwire.heap.image.classes.Shapes;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Shape;

/**
 * What it costs to find out for each object of a new graph whether it was visited before: the table
 * by content, then identity, of this library; the interval tree of the paper on Naos; identity
 * alone, in the JDK's map; and walking the graph without any of it ({@code addresses}). The score
 * is time per object.
 *
 * <p>The tree is given what it could not have on a stock JVM: addresses, read as they are, of
 * objects that no collector moves between two looks, since what is measured allocates nothing. The
 * order of an array is that in which its objects were made, or a random one. It lies in the package
 * of the table, which is nobody else's.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(VisitedBenchmark.OBJECTS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-XX:+UseParallelGC",
      "-Xms256m",
      "-Xmn192m",
      "-XX:+AlwaysPreTouch",
      "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
    })
public class VisitedBenchmark {
  static final int OBJECTS = 1 << 17;

  private static final Unsafe UNSAFE = Raw.UNSAFE;
  private static final long FIRST = UNSAFE.arrayBaseOffset(Object[].class);
  private static final int SCALE = UNSAFE.arrayIndexScale(Object[].class);
  private static final long WORD = UNSAFE.objectFieldOffset(Pair.class, "word");
  private static final Shape POINT_SHAPE = Shapes.of(Point.class);
  private static final Shape PAIR_SHAPE = Shapes.of(Pair.class);
  private static final Shape WORD_SHAPE = Shapes.of(char[].class);

  /** Which graph: an array of small objects, or of pairs of a small object and an array. */
  @Param({"points", "pairs"})
  public String shape = "points";

  /** Objects of one graph. */
  @Param({"2048", "131072"})
  public int objects = 2048;

  /** How elements of the array follow each other in memory. */
  @Param({"made", "shuffled"})
  public String order = "made";

  private final VisitedTable table = new VisitedTable();
  private final IntervalTree tree = new IntervalTree();
  private Object[][] graphs = {};
  private Object[] opaque = {}; // the same; see reference()
  private int pointLength;
  private int pairLength;
  private int wordLength;
  private boolean paired;

  static final class Point {
    int x;
    float y;
  }

  static final class Pair {
    int number;
    char[] word = new char[5];
  }

  /**
   * A compressed reference, which is an address in the unit of alignment, or in bytes. The compiler
   * must not know the class of the holder: it would leave the access to a native method, since it
   * is none of a reference.
   */
  private static long reference(Object holder, long offset) {
    return UNSAFE.getInt(holder, offset) & 0xFFFF_FFFFL;
  }

  private static long element(Object array, int index) {
    return reference(array, FIRST + (long) SCALE * index);
  }

  /** Measures how long the objects are, in the unit of addresses. */
  @Setup(Level.Trial)
  public void measureLengths() {
    if (SCALE != Integer.BYTES) {
      throw new IllegalStateException("needs compressed references");
    }
    paired = shape.equals("pairs");
    pointLength = least(new Object[] {new Point(), new Point(), new Point(), new Point()});
    Pair[] pairs = {new Pair(), new Pair(), new Pair(), new Pair()};
    pairLength = Integer.MAX_VALUE;
    wordLength = Integer.MAX_VALUE;
    for (int i = 0; i < pairs.length; i++) {
      long word = reference(pairs[i], WORD);
      pairLength = Math.min(pairLength, distance(element(pairs, i), word));
      if (i > 0) {
        wordLength =
            Math.min(wordLength, distance(reference(pairs[i - 1], WORD), element(pairs, i)));
      }
    }
  }

  private static int least(Object[] array) {
    int least = Integer.MAX_VALUE;
    for (int i = 1; i < array.length; i++) {
      least = Math.min(least, distance(element(array, i - 1), element(array, i)));
    }
    return least;
  }

  private static int distance(long from, long to) {
    return to > from ? (int) (to - from) : Integer.MAX_VALUE; // another block of memory
  }

  /** Makes new graphs: an object whose identity was asked for before costs less. */
  @Setup(Level.Invocation)
  public void makeGraphs() {
    int elements = paired ? objects / 2 : objects;
    graphs = new Object[OBJECTS / objects][];
    opaque = new Object[graphs.length];
    Random random = new Random(1);
    for (int i = 0; i < graphs.length; i++) {
      Object[] graph = new Object[elements];
      for (int n = 0; n < elements; n++) {
        graph[n] = paired ? pair(n) : point(n);
      }
      if (order.equals("shuffled")) {
        List<Object> list = Arrays.asList(graph);
        Collections.shuffle(list, random);
      }
      graphs[i] = graph;
      opaque[i] = graph;
    }
  }

  private static Point point(int n) {
    Point point = new Point();
    point.x = n;
    point.y = n / 3f;
    return point;
  }

  private static Pair pair(int n) {
    Pair pair = new Pair();
    pair.number = n;
    int rest = n;
    for (int i = 0; i < pair.word.length; i++) {
      pair.word[i] = (char) ('a' + rest % 26);
      rest /= 26;
    }
    return pair;
  }

  /** Walks, and adds up the addresses. */
  @Benchmark
  public long addresses() {
    long sum = 0;
    for (int n = 0; n < graphs.length; n++) {
      Object[] graph = graphs[n];
      Object raw = opaque[n];
      for (int i = 0; i < graph.length; i++) {
        sum += element(raw, i);
        if (paired) {
          sum += reference(graph[i], WORD);
        }
      }
    }
    return sum;
  }

  /** The tree of the paper. */
  @Benchmark
  public int intervalTree() {
    int found = 0;
    for (int n = 0; n < graphs.length; n++) {
      Object[] graph = graphs[n];
      Object raw = opaque[n];
      tree.clear();
      for (int i = 0; i < graph.length; i++) {
        found += tree.visit(element(raw, i), paired ? pairLength : pointLength) ? 1 : 0;
        if (paired) {
          found += tree.visit(reference(graph[i], WORD), wordLength) ? 1 : 0;
        }
      }
    }
    return none(found);
  }

  /** The table of the library. */
  @Benchmark
  public int table() {
    int found = 0;
    for (Object[] graph : graphs) {
      for (Object element : graph) {
        if (paired) {
          found += table.visit(element, PAIR_SHAPE.contentHash(element)) >= 0 ? 1 : 0;
          char[] word = ((Pair) element).word;
          found += table.visit(word, WORD_SHAPE.contentHash(word)) >= 0 ? 1 : 0;
        } else {
          found += table.visit(element, POINT_SHAPE.contentHash(element)) >= 0 ? 1 : 0;
        }
      }
      table.clear();
    }
    return none(found);
  }

  /** The map of the JDK. */
  @Benchmark
  public int identityMap() {
    int found = 0;
    for (Object[] graph : graphs) {
      IdentityHashMap<Object, Boolean> map = new IdentityHashMap<>(objects);
      for (Object element : graph) {
        found += map.put(element, true) != null ? 1 : 0;
        if (paired) {
          found += map.put(((Pair) element).word, true) != null ? 1 : 0;
        }
      }
    }
    return none(found);
  }

  private static int none(int found) {
    if (found != 0) {
      throw new IllegalStateException("no object comes twice, but so many were found: " + found);
    }
    return found;
  }
}
