package org.ringwire.tools.demo.check;

import static org.ringwire.tools.demo.worker.RankState.DAMPING;
import static org.ringwire.tools.demo.worker.SearchState.UNREACHED;

import java.util.Arrays;
import org.ringwire.tools.demo.graph.Partition;
import org.ringwire.tools.demo.graph.Spread;
import org.ringwire.tools.demo.worker.CompensatedSums;
import org.ringwire.tools.demo.worker.SearchState;

/**
 * What the nodes must have found, computed by one thread over the whole graph, with other code than
 * theirs: a queue instead of levels in step, and sums that compensate for rounding.
 *
 * @param levels distance of every vertex from the root; {@link SearchState#UNREACHED} if there is
 *     no way
 * @param ranks PageRank of every vertex
 * @param searchMessages edges between workers whose source was reached
 * @param roundMessages edges between workers
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record SingleProcessRun(
    int[] levels, double[] ranks, long searchMessages, long roundMessages) {

  /**
   * Runs both algorithms and counts the messages that they need under a spread.
   *
   * @param whole a partition that holds the whole graph
   */
  public static SingleProcessRun of(Partition whole, Spread spread, int root, int rounds) {
    int[] levels = levels(whole, root);
    long searchMessages = 0;
    long roundMessages = 0;
    for (int source = 0; source < whole.count(); source++) {
      for (int target : whole.targets(source)) {
        if (spread.owner(source) != spread.owner(target)) {
          roundMessages++;
          searchMessages += levels[source] == UNREACHED ? 0 : 1;
        }
      }
    }
    return new SingleProcessRun(levels, ranks(whole, rounds), searchMessages, roundMessages);
  }

  /** Breadth-first search along the edges. */
  public static int[] levels(Partition whole, int root) {
    int[] levels = new int[whole.count()];
    Arrays.fill(levels, UNREACHED);
    int[] queue = new int[whole.count()];
    int tail = 0;
    queue[tail++] = root;
    levels[root] = 0;
    for (int head = 0; head < tail; head++) {
      int source = queue[head];
      for (int target : whole.targets(source)) {
        if (levels[target] == UNREACHED) {
          levels[target] = levels[source] + 1;
          queue[tail++] = target;
        }
      }
    }
    return levels;
  }

  /**
   * PageRank by power iteration from the uniform distribution. The rank of a vertex without
   * references (the dangling mass) is dealt out to all vertices evenly, so that ranks add up to 1.
   */
  static double[] ranks(Partition whole, int rounds) {
    int count = whole.count();
    double[] ranks = new double[count];
    Arrays.fill(ranks, 1.0 / count);
    for (int round = 0; round < rounds; round++) {
      CompensatedSums incoming = new CompensatedSums(count);
      CompensatedSums dangling = new CompensatedSums(1);
      for (int source = 0; source < count; source++) {
        int[] targets = whole.targets(source);
        for (int target : targets) {
          incoming.add(target, ranks[source] / targets.length);
        }
        if (targets.length == 0) {
          dangling.add(0, ranks[source]);
        }
      }
      double everywhere = dangling.sum(0) / count;
      for (int vertex = 0; vertex < count; vertex++) {
        ranks[vertex] = (1 - DAMPING) / count + DAMPING * (incoming.sum(vertex) + everywhere);
      }
    }
    return ranks;
  }
}
