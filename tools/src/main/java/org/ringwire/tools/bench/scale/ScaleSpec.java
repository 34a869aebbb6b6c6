package org.ringwire.tools.bench.scale;

/**
 * What the processes of a run are told.
 *
 * @param keepAliveMs time within which dead peers are found, the same everywhere
 * @param idleMs time after which the node gives back what idle connections hold
 * @param nodeAddress where the node under measurement listens; empty for itself
 */
record ScaleSpec(long keepAliveMs, long idleMs, String nodeAddress) {

  /** Name of the cluster. */
  static final String CLUSTER = "scale";

  /** Id of the node under measurement. */
  static final int NODE = 1;

  /** Id of the peer that the node is busy with. */
  static final int BUSY = 2;

  /** Id of the first farmed peer; the others follow. */
  static final int FIRST_FARMED = 3;

  ScaleSpec withNodeAddress(String address) {
    return new ScaleSpec(keepAliveMs, idleMs, address);
  }
}
