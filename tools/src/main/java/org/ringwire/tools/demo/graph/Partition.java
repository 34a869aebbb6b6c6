package org.ringwire.tools.demo.graph;

import java.util.Arrays;

/**
 * The vertices of one worker with the edges that leave them. Immutable. Vertices are named by their
 * place in the partition, targets by their number in the whole graph.
 */
public final class Partition {

  private final Spread spread;
  private final int worker;
  private final int[]
      offsets; // edges of place i are targets[offsets[i]] .. targets[offsets[i + 1]]
  private final int[] targets;

  private Partition(Spread spread, int worker, int[] offsets, int[] targets) {
    this.spread = spread;
    this.worker = worker;
    this.offsets = offsets;
    this.targets = targets;
  }

  /**
   * A partition with the given edges.
   *
   * @param targetsByPlace the distinct targets of each place
   */
  public static Partition of(Spread spread, int worker, int[][] targetsByPlace) {
    if (targetsByPlace.length != spread.count(worker)) {
      throw new IllegalArgumentException(
          "partition has another size: places="
              + targetsByPlace.length
              + " expected="
              + spread.count(worker));
    }
    int[] offsets = new int[targetsByPlace.length + 1];
    for (int place = 0; place < targetsByPlace.length; place++) {
      offsets[place + 1] = offsets[place] + targetsByPlace[place].length;
    }
    int[] targets = new int[offsets[targetsByPlace.length]];
    for (int place = 0; place < targetsByPlace.length; place++) {
      int[] from = targetsByPlace[place];
      System.arraycopy(from, 0, targets, offsets[place], from.length);
    }
    return new Partition(spread, worker, offsets, targets);
  }

  public Spread spread() {
    return spread;
  }

  /** The worker that owns these vertices. */
  public int worker() {
    return worker;
  }

  /** Number of vertices here. */
  public int count() {
    return offsets.length - 1;
  }

  /** Number of edges that leave vertices of this partition. */
  public int edges() {
    return targets.length;
  }

  /** Number of edges that leave a place. */
  public int degree(int place) {
    return offsets[place + 1] - offsets[place];
  }

  /** Target number {@code index} of a place; a vertex of the whole graph. */
  public int target(int place, int index) {
    return targets[offsets[place] + index];
  }

  /** All targets of a place. */
  public int[] targets(int place) {
    return Arrays.copyOfRange(targets, offsets[place], offsets[place + 1]);
  }
}
