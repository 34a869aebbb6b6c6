package org.ringwire.tools.demo.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * One worker's part of PageRank.
 *
 * <p>{@link #add} may be called by any threads at once. {@link #settle} is called between phases,
 * when all shares of the phase were handled; the counting of {@link Arrivals} orders the two.
 */
public final class RankState {

  /** Probability to follow a reference instead of jumping anywhere. */
  public static final double DAMPING = 0.85;

  private static final VarHandle SUM = MethodHandles.arrayElementVarHandle(double[].class);

  private final int vertices;
  private final double[] ranks;
  private final double[] incoming;

  /**
   * Starts from the uniform distribution.
   *
   * @param count vertices of this worker
   * @param vertices vertices of the whole graph
   */
  RankState(int count, int vertices) {
    this.vertices = vertices;
    ranks = new double[count];
    incoming = new double[count];
    Arrays.fill(ranks, 1.0 / vertices);
  }

  /** Adds a share to what a place receives in this round. */
  void add(int place, double share) {
    double sum = (double) SUM.getOpaque(incoming, place);
    while (!SUM.compareAndSet(incoming, place, sum, sum + share)) {
      sum = (double) SUM.getOpaque(incoming, place);
    }
  }

  double rank(int place) {
    return ranks[place];
  }

  /**
   * Ends a round: computes the ranks of the next one from what was received.
   *
   * @param dangling rank of all vertices of the graph that refer to nothing
   */
  void settle(double dangling) {
    for (int place = 0; place < ranks.length; place++) {
      ranks[place] = (1 - DAMPING) / vertices + DAMPING * (incoming[place] + dangling / vertices);
      incoming[place] = 0;
    }
  }

  /** Rank of each place. */
  double[] ranks() {
    return ranks.clone();
  }
}
