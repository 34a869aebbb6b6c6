package org.ringwire.idle;

/** That a thread has been active lately, as {@link Load} counts it. Confined to its thread. */
public final class ActiveThread {

  /** The window in which the thread was counted last. */
  long window = -1;

  /** Not counted yet. */
  public ActiveThread() {}
}
