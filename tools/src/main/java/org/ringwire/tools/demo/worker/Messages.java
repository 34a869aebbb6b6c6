package org.ringwire.tools.demo.worker;

import java.util.Map;

/** Everything that the nodes of the demo say to each other. Arrays, because they travel as such. */
@SuppressWarnings("ArrayRecordComponent")
public final class Messages {

  private Messages() {}

  // From worker to worker: one per edge that crosses.

  /** A class of the receiver is referred to by a class that was reached. */
  record Visit(int vertex, int level) {}

  /** A share of a class's rank for one that it refers to. */
  record Rank(int vertex, double share, int round) {}

  // From the coordinator to all workers, each with its answer.

  /** Where everybody is, by node id; answered when the worker's part of the graph is there. */
  public record Prepare(Map<Integer, String> addresses) {}

  /** The size of the worker's part, and which JDK's classes it numbered. */
  public record Prepared(int vertices, long edges, long fingerprint) {}

  /** Send a visit along every edge of the frontier; the root is the frontier of level 0. */
  public record Expand(int level, int root) {}

  /** Wait for so many visits, then make what they found the next frontier. */
  public record SettleSearch(int level, long expected) {}

  /** How many vertices of this worker were found. */
  public record SearchSettled(int found) {}

  /** Send a share of every vertex's rank along each of its edges. */
  public record Distribute(int round) {}

  /** Wait for so many shares, then compute the ranks of the next round. */
  public record SettleRanks(int round, long expected, double dangling) {}

  /** The ranks of this worker are those of the next round. */
  public record RanksSettled(int round) {}

  /** All messages of a phase were sent: how many to each worker, and the dangling mass here. */
  public record Sent(long[] toWorker, double dangling) {}

  /** Tell what was found. */
  public record Collect() {}

  /** Levels and ranks by place; visits and shares that came in a wrong phase are misplaced. */
  public record Found(int[] levels, double[] ranks, long handled, long misplaced) {}
}
