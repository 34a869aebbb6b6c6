package org.ringwire.tools.soak;

/**
 * What a soak found; the form of {@code --json}.
 *
 * @param minutes as asked for
 * @param nodes processes
 * @param chaos whether nodes were disturbed
 * @param seed of the chaos and of the traffic
 * @param accepted as {@link Tally}, and so on
 * @param timedOutRequests requests that were not answered in time
 * @param wrongRequests requests with a wrong answer, or that ended long after their timeout, or
 *     that were not answered though their connection went on and nobody stood still
 * @param kills nodes ended by SIGKILL
 * @param restarts nodes closed and started again
 * @param stalls nodes stopped for a while by SIGSTOP
 * @param dismissals connections closed because a node had too many, counted at both ends
 * @param heapGrowthBytes by how much the heap in use of the process that grew most has grown
 *     between two rests of the cluster, the first after a warm-up; of processes that lived through
 *     both
 * @param nativeGrowthBytes the same of the library's native memory
 * @param threadGrowth the same of threads
 * @param fdGrowth the same of open files
 */
record SoakResult(
    double minutes,
    int nodes,
    boolean chaos,
    long seed,
    long accepted,
    long delivered,
    long reportedLost,
    long uncertain,
    long acceptedByKilled,
    long duplicated,
    long unaccounted,
    long outOfOrder,
    long miscounted,
    long damaged,
    long timedOutRequests,
    long wrongRequests,
    int kills,
    int restarts,
    int stalls,
    long dismissals,
    long heapGrowthBytes,
    long nativeGrowthBytes,
    int threadGrowth,
    int fdGrowth) {

  /**
   * What a heap may differ by without anything being kept: what was compiled, and tables that are
   * sized for the busiest moment.
   */
  static final long HEAP_ALLOWANCE = 8 << 20;

  /**
   * Open files that a connection may have more or fewer of from one rest to the next: whether both
   * directions share a link, and for each link whether a thread that waited for an answer has read
   * it, for which it has a selector of two files. What is lost with each kill or dismissal is far
   * more after a minute.
   */
  private static final int FILES_PER_CONNECTION = 6;

  /** Whether every message is accounted for. */
  boolean addsUp() {
    return duplicated == 0
        && unaccounted == 0
        && outOfOrder == 0
        && miscounted == 0
        && damaged == 0
        && wrongRequests == 0;
  }

  /** Whether a process holds more at the end than after the warm-up. */
  boolean grows() {
    return heapGrowthBytes > HEAP_ALLOWANCE
        || nativeGrowthBytes > 0
        || threadGrowth > 0
        || fdGrowth > FILES_PER_CONNECTION * (nodes - 1);
  }
}
