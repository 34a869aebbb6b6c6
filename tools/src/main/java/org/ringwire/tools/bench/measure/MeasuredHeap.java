package org.ringwire.tools.bench.measure;

import java.util.List;

/**
 * The heap of every JVM whose speed is compared, Ringwire's and the others' alike.
 *
 * <p>A young generation that grows while it is measured moves into pages that nobody has touched
 * yet. On a virtual machine whose host takes free memory back, each of them costs more than ten
 * microseconds, so that for seconds whoever allocates seems several times slower than it is. So the
 * young generation has one size, and is touched before anything is measured.
 */
public final class MeasuredHeap {

  private MeasuredHeap() {}

  /** Options of a JVM; the heap may still grow to what {@code -Xmx} says. */
  public static List<String> options() {
    return List.of("-XX:+UseParallelGC", "-Xms128m", "-Xmn96m", "-XX:+AlwaysPreTouch");
  }

  /**
   * The same where one graph is as large as that young generation, and several are made in turn.
   */
  public static List<String> forLargeGraphs() {
    return List.of("-XX:+UseParallelGC", "-Xms768m", "-Xmn512m", "-XX:+AlwaysPreTouch");
  }
}
