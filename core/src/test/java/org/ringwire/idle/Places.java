package org.ringwire.idle;

import org.ringwire.IdleStrategy;

/** Places to wait on machines that are not this one. */
public final class Places {

  private Places() {}

  /** A place of a process that has so many cores. */
  public static WaitingPlace withCores(int cores, IdleStrategy strategy) {
    return new WaitingPlace(strategy, new Load(() -> cores, System.nanoTime()));
  }
}
