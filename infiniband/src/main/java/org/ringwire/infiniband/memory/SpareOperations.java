package org.ringwire.infiniband.memory;

import org.jspecify.annotations.Nullable;

/** Operations that have ended, to be begun anew instead of making others. Any thread. */
final class SpareOperations {

  private final int most;
  private final Operations spare = new Operations(); // guarded by this

  /** None, and so many at most. */
  SpareOperations(int most) {
    this.most = most;
  }

  /** One that may be begun. */
  Operation take() {
    Operation taken = poll();
    return taken == null ? new Operation() : taken;
  }

  private synchronized @Nullable Operation poll() {
    return spare.poll();
  }

  /** One that has ended, and nobody looks at any more. */
  synchronized void give(Operation operation) {
    if (spare.count() < most) {
      spare.add(operation);
    }
  }
}
