package org.ringwire.infiniband.memory;

import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations that have ended, to be begun anew instead of making others. Any thread.
 *
 * <p>Who ends an operation of several requests ends it with the first that it looks at, and looks
 * at the others next, all with one lock. So an operation comes back with that lock only: begun anew
 * in between, it would be ended once more.
 */
final class SpareOperations {

  private final int most;
  private final Lock lock;
  private final BooleanSupplier isRequestLeft;
  private final Operations spare = new Operations(); // guarded by this

  /**
   * None.
   *
   * @param most how many are kept
   * @param lock held by who ends operations
   * @param isRequestLeft with the lock, whether requests of operations that have ended may be left
   */
  SpareOperations(int most, Lock lock, BooleanSupplier isRequestLeft) {
    this.most = most;
    this.lock = lock;
    this.isRequestLeft = isRequestLeft;
  }

  /** One that may be begun. */
  Operation take() {
    Operation taken = poll();
    return taken == null ? new Operation() : taken;
  }

  private synchronized @Nullable Operation poll() {
    return spare.poll();
  }

  /** One that has ended, and nobody but the caller looks at any more. */
  void give(Operation operation) {
    lock.lock();
    try {
      if (!isRequestLeft.getAsBoolean()) {
        add(operation);
      }
    } finally {
      lock.unlock();
    }
  }

  private synchronized void add(Operation operation) {
    if (spare.count() < most) {
      spare.add(operation);
    }
  }
}
