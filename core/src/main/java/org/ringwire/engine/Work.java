package org.ringwire.engine;

import org.jspecify.annotations.Nullable;

/** Something for a {@link HandlerWorker}; in at most one queue at a time. */
abstract class Work {

  /** The queue's link. */
  volatile @Nullable Work next;

  /** Does some of it; true if there is more, which then waits behind the other work. */
  abstract boolean run(HandlerWorker worker);
}
