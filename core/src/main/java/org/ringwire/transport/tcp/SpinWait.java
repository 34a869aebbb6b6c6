package org.ringwire.transport.tcp;

/**
 * What a thread does between two looks at a channel while it spins. Now and then it offers its core
 * to others: the scheduler likes to put the thread that a packet wakes on the core of the thread
 * that sent it, and if the sender spins there, as it does when it waits for the answer, each would
 * run only when the other's spinning is over, for as long as no other core is idle.
 */
final class SpinWait {

  private static final int ROUNDS_PER_YIELD = 4;

  private SpinWait() {}

  /**
   * Waits for a moment.
   *
   * @param round how often this was called
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it but the time that it takes
  static void pause(int round) {
    if (round % ROUNDS_PER_YIELD == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }
}
