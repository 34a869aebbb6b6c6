package org.ringwire.infiniband.verbs.types;

/** What may be done to registered memory; to be or-ed. */
public final class Access {

  /** The device may write, as for receiving. */
  public static final int LOCAL_WRITE = 1;

  /** Peers that know the key may write; needs {@link #LOCAL_WRITE}. */
  public static final int REMOTE_WRITE = 1 << 1;

  /** Peers that know the key may read. */
  public static final int REMOTE_READ = 1 << 2;

  /** Peers that know the key may use atomics; needs {@link #LOCAL_WRITE}. */
  public static final int REMOTE_ATOMIC = 1 << 3;

  private Access() {}
}
