package org.ringwire.tools.soak;

/**
 * What the ledger says of some messages; added up over pairs of nodes.
 *
 * @param accepted messages that a node accepted which ended in good order
 * @param delivered those of them that were handled
 * @param reportedLost messages that such a node has reported as lost
 * @param uncertain messages that such a node has reported as uncertain; most of them were delivered
 * @param acceptedByKilled messages that a node accepted which was killed: its reports died with it
 * @param duplicated messages handled more than once, or although they were refused
 * @param unaccounted messages accepted, not handled, and not reported
 * @param outOfOrder messages handled after a later one of their stream and connection
 * @param miscounted by how much reports contradict themselves or what really happened
 * @param damaged messages whose content was not what was sent
 */
record Tally(
    long accepted,
    long delivered,
    long reportedLost,
    long uncertain,
    long acceptedByKilled,
    long duplicated,
    long unaccounted,
    long outOfOrder,
    long miscounted,
    long damaged) {

  static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  Tally plus(Tally other) {
    return new Tally(
        accepted + other.accepted,
        delivered + other.delivered,
        reportedLost + other.reportedLost,
        uncertain + other.uncertain,
        acceptedByKilled + other.acceptedByKilled,
        duplicated + other.duplicated,
        unaccounted + other.unaccounted,
        outOfOrder + other.outOfOrder,
        miscounted + other.miscounted,
        damaged + other.damaged);
  }

  /** Whether nothing was lost silently, repeated, reordered, changed or miscounted. */
  boolean isGood() {
    return duplicated == 0
        && unaccounted == 0
        && outOfOrder == 0
        && miscounted == 0
        && damaged == 0;
  }
}
