package org.ringwire.infiniband.verbs.types;

/** What a send request does. */
public final class SendOpcode {

  /** Writes into memory of the peer, which learns nothing of it. */
  public static final int RDMA_WRITE = 0;

  /** Writes into memory of the peer, and uses up one of its receive requests to tell it. */
  public static final int RDMA_WRITE_WITH_IMM = 1;

  /** Fills a receive request of the peer. */
  public static final int SEND = 2;

  /** Fills a receive request of the peer, and brings immediate data. */
  public static final int SEND_WITH_IMM = 3;

  /** Reads memory of the peer into the ranges. */
  public static final int RDMA_READ = 4;

  /** Compares and swaps eight bytes of the peer; the old value goes into the one range. */
  public static final int ATOMIC_CMP_AND_SWP = 5;

  /** Adds to eight bytes of the peer; the old value goes into the one range. */
  public static final int ATOMIC_FETCH_AND_ADD = 6;

  private SendOpcode() {}
}
