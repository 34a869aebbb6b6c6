package org.ringwire.transport.selector;

/**
 * How often the I/O thread looks at a link that is led: every {@link LinkReader#TICK_NS}, and more
 * and more rarely while the same leader stays, as who waits for long would cost a wake-up for each
 * tick.
 *
 * <p><em>Nothing waits for a rare look.</em> A leader that leaves gives the role back and then
 * looks at {@code rare}, to ask for the I/O thread; that sets {@code rare} and then looks at the
 * role, and if it is free goes on with ticks. Both are volatile: one of them sees the other. Who
 * takes the role after that look sees {@code rare} when it leaves.
 */
final class LookPace {

  static final long LONGEST_NS = 64 * LinkReader.TICK_NS;

  /** So many looks find the same leader before they become rarer, each by half. */
  static final int STEADY_LOOKS = 16;

  private static final int MOST_DOUBLINGS = 6;

  private int stays; // the I/O thread only: looks in a row that have found the same leader
  private volatile boolean rare; // written by the I/O thread

  /** Has looked; the I/O thread only, as the next ones. */
  void found(boolean sameLeader) {
    stays = sameLeader ? stays + 1 : 0;
  }

  /** Whether looks become rare, if the role is still taken after this. */
  boolean slackens() {
    rare = stays >= STEADY_LOOKS; // volatile, before the role is read; pairs with isRare()
    return rare;
  }

  /** Ticks go on from now on. */
  void often() {
    stays = 0;
    rare = false;
  }

  /** Until the next look. */
  long nextNs() {
    int doublings = Math.clamp(stays - STEADY_LOOKS + 1, 0, MOST_DOUBLINGS);
    return LinkReader.TICK_NS << doublings;
  }

  /** Whether the next look may be late; any thread. */
  boolean isRare() {
    return rare; // after the role was given back: pairs with slackens()
  }
}
