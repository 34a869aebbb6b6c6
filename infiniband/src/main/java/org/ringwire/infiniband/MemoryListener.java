package org.ringwire.infiniband;

/**
 * Hears of writes into exported memory that a peer has made with {@link
 * RemoteRegion#writeAndNotify}.
 */
@FunctionalInterface
public interface MemoryListener {

  /**
   * A peer says that it has written: what it wrote before, over the same region, is there. Called
   * on one thread for all memory of the node, for the writes of a peer in their order; so it may
   * not block. Nothing but the peer's word says that it has written, what, and where.
   *
   * @param nodeId the peer
   * @param tag what it gave, 0 to 65535
   */
  void written(int nodeId, int tag);
}
