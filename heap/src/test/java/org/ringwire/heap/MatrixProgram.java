package org.ringwire.heap;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.Samples.Node;

/**
 * Run in a JVM of its own with other flags: copies graphs while the collector is busy, reads what
 * another JVM has written, and writes for the next.
 */
final class MatrixProgram {
  private static final int GRAPHS = 40;

  private MatrixProgram() {}

  /**
   * Words: seconds to go on, a file to read or "-", a file to write or "-", and maybe the length of
   * a list.
   */
  public static void main(String... words) throws Exception {
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    if (!words[1].equals("-")) {
      try (InputStream input = new BufferedInputStream(new FileInputStream(words[1]))) {
        for (int seed = 0; seed < GRAPHS; seed++) {
          check(RandomGraphs.graph(seed, 30), codec.decode(input));
        }
      }
    }
    copyAll(codec);
    Thread litter = new Thread(MatrixProgram::litter, "litter");
    litter.setDaemon(true);
    litter.start();
    copyAll(codec);
    long endNs = System.nanoTime() + Long.parseLong(words[0]) * 1_000_000_000L;
    List<Object> kept = new ArrayList<>();
    int seed = 0;
    do {
      Object graph = RandomGraphs.graph(seed, 30 + seed % 100);
      Object copy = codec.decode(codec.encode(graph));
      check(graph, copy);
      kept.add(copy);
      if (kept.size() == 50) {
        System.gc();
        kept.forEach(Graphs::walk);
        kept.clear();
      }
      seed++;
    } while (seed < 60 || System.nanoTime() < endNs);
    Node list = Samples.list(words.length > 3 ? Integer.parseInt(words[3]) : 300_000);
    Node copy = (Node) codec.decode(codec.encode(list));
    while (list != null && copy != null && list.value == copy.value) {
      list = list.next;
      copy = copy.next;
    }
    if (list != null || copy != null) {
      throw new AssertionError("the list differs");
    }
    if (!words[2].equals("-")) {
      try (OutputStream output = new BufferedOutputStream(new FileOutputStream(words[2]))) {
        for (int i = 0; i < GRAPHS; i++) {
          codec.encode(RandomGraphs.graph(i, 30), output);
        }
      }
    }
    System.out.println("OK " + seed);
  }

  /** Every shape, and those that do not need the detection of cycles without it. */
  private static void copyAll(HeapCodec codec) {
    HeapCodec plain =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").detectCycles(false).build();
    MatrixShapes.others().forEach((name, graph) -> copy(name, graph, codec));
    MatrixShapes.trees()
        .forEach((name, graph) -> {
          copy(name, graph, codec);
          copy(name, graph, plain);
        });
  }

  private static void copy(String name, @Nullable Object graph, HeapCodec codec) {
    String difference = Graphs.difference(graph, codec.decode(codec.encode(graph)));
    if (difference != null) {
      throw new AssertionError(name + ": " + difference);
    }
  }

  private static void check(Object graph, Object copy) {
    String difference = Graphs.difference(graph, copy);
    if (difference != null) {
      throw new AssertionError(difference);
    }
  }

  /** Makes objects move, but leaves time between collections that look at the whole heap. */
  private static void litter() {
    Object[] some = new Object[1000];
    for (int i = 0; ; i++) {
      some[i % some.length] = new byte[1 + i % 5000];
      if (i % 10 == 0) {
        LockSupport.parkNanos(50_000);
      }
    }
  }
}
