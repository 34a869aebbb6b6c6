package org.ringwire.engine.inbound;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a long frame in a process that has no heap by then, while others take the place that it
 * had among those that wait; says what is granted when there is heap again. To be run without
 * buffers for the allocations of each thread, which would leave some heap to it.
 */
final class NoHeapGrantsProgram {

  private static final long LENGTH = 1 << 20;

  /** So many wait behind the first as there is room for in the array that a queue begins with. */
  private static final long LAST = 17;

  private static final int LARGEST = 1 << 14;
  private static final long PATIENCE_MS = 60_000;

  private final List<Long> granted = new ArrayList<>();
  private final GrantBudget budget = new GrantBudget(2 * LENGTH, text -> {}, Runnable::run);
  private final InboundGrants grants =
      new InboundGrants(
          budget,
          LENGTH,
          LENGTH,
          granted::add,
          (why, token) -> {},
          () -> 0,
          violation -> {
            throw new AssertionError(violation);
          });
  private @Nullable Object taken;

  private NoHeapGrantsProgram() {}

  public static void main(String[] args) throws InterruptedException {
    new NoHeapGrantsProgram().run();
  }

  private void run() throws InterruptedException {
    Thread asking = new Thread(this::announceFirst);
    synchronized (budget) { // it is asked, and cannot answer
      asking.start();
      while (asking.isAlive() && asking.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      for (long token = 2; token <= LAST; token++) {
        grants.announced(token, LENGTH);
      }
      takeHeap();
    }
    asking.join(PATIENCE_MS);
    taken = null;
    System.out.println("without heap: " + granted);
    grants.announced(LAST + 1, LENGTH);
    for (int handled = 1; granted.size() == handled; handled++) {
      grants.use(LENGTH);
      grants.processed(LENGTH);
    }
    System.out.println("granted: " + granted);
  }

  private void announceFirst() {
    try {
      grants.announced(1, LENGTH);
    } catch (OutOfMemoryError e) {
      // as it should be
    }
  }

  private void takeHeap() {
    for (int length = LARGEST; length > 0; length /= 2) {
      try {
        while (true) {
          @Nullable Object[] more = new @Nullable Object[length];
          more[0] = taken;
          taken = more;
        }
      } catch (OutOfMemoryError e) {
        // there is no more of this length
      }
    }
  }
}
