package org.ringwire.infiniband.verbs.types;

/** How a send request is treated; to be or-ed. */
public final class SendFlags {

  /** Waits for the reads and atomics before it. */
  public static final int FENCE = 1;

  /** Makes a completion also when it succeeds. */
  public static final int SIGNALED = 1 << 1;

  /** Wakes the peer if it waits for solicited completions only. */
  public static final int SOLICITED = 1 << 2;

  /**
   * Takes the bytes while it is posted; their memory need not be registered and is free at once.
   */
  public static final int INLINE = 1 << 3;

  private SendFlags() {}
}
