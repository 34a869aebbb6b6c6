package org.ringwire.infiniband.verbs.types;

/** What a request that is complete was. */
public final class CompletionOpcode {

  /** A send. */
  public static final int SEND = 0;

  /** A write into memory of the peer. */
  public static final int RDMA_WRITE = 1;

  /** A read of memory of the peer. */
  public static final int RDMA_READ = 2;

  /** A compare-and-swap. */
  public static final int COMP_SWAP = 3;

  /** A fetch-and-add. */
  public static final int FETCH_ADD = 4;

  /** A receive request that was filled; all receive opcodes have this bit. */
  public static final int RECV = 1 << 7;

  /** A receive request that a write with immediate data used up. */
  public static final int RECV_RDMA_WITH_IMM = RECV + 1;

  private CompletionOpcode() {}
}
