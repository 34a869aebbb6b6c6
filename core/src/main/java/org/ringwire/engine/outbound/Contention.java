package org.ringwire.engine.outbound;

import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;
import org.ringwire.wire.FrameLayout;

/**
 * Whether a thread that sends meets others at the same ring all the time. Confined to its thread.
 *
 * <p>Two cores that put frames into one ring are hardly faster than one: each claim waits until the
 * line of the tail comes from the other core, and so do frames for lines that the other one has
 * written. And where threads are more than cores, one of the two keeps the reader from its core. So
 * a thread that finds before {@link #MEETINGS} messages in a row that others have claimed since its
 * last one, all within {@link #QUICK_NS}, offers its core to whoever is ready to run there. Others
 * can be in between so often only while they run on other cores: a thread that is alone never meets
 * anybody, nor do those that take turns by the time slices of the scheduler. What the thread itself
 * sends in another way, such as a request, is nobody else's ({@link SendContext#otherClaims}).
 *
 * <p>Nothing depends on it: no thread waits for another, and where no other is ready to run, the
 * thread goes on after a system call. Where others are, it goes on after their time slices; so who
 * may not wait ({@code trySend}) does not do it. Nor do inline handlers, which have a batch to end,
 * and virtual threads, which would offer their core to each other only.
 */
final class Contention {

  /** Meetings in a row after which the thread offers its core: measured, see docs/experiments. */
  static final int MEETINGS = 8;

  /** Time that so many meetings take in parallel, and hardly ever otherwise. */
  static final long QUICK_NS = 20_000;

  private @Nullable Object ring; // that the thread claimed in last
  private long end; // of its last claim there
  private int otherClaims; // of the thread, when it claimed here last
  private int meetings; // in a row
  private long countedNs; // when there were so many last

  /**
   * The thread has claimed a frame.
   *
   * @param claimed the ring, or what stands for it: one object for each
   * @param position of the frame
   * @param length of the frame in bytes
   * @param otherClaimsSoFar of the thread, in whatever ring
   */
  @SuppressWarnings("ReferenceEquality") // the ring itself
  void claimed(Object claimed, long position, int length, int otherClaimsSoFar) {
    boolean alone = position == end || otherClaimsSoFar != otherClaims;
    if (ring != claimed) { // mostly the same: a reference stored is work for the collector
      ring = claimed;
      alone = true;
    }
    end = position + FrameLayout.occupied(length);
    otherClaims = otherClaimsSoFar;
    meetings = alone ? 0 : Math.min(meetings + 1, MEETINGS);
  }

  /** Offers the thread's core if it is time for that; may then take as long as others run. */
  void offerCore(SendContext context) {
    if (isDue()
        && !context.isInline()
        && !Thread.currentThread().isVirtual()
        && isQuick(System.nanoTime())) {
      Pause.contended();
    }
  }

  /** Whether the thread has met others so often, which then counts from the beginning. */
  boolean isDue() {
    if (meetings < MEETINGS) {
      return false;
    }
    meetings = 0;
    return true;
  }

  /** Whether so many meetings have come as fast as they do only in parallel. */
  boolean isQuick(long nowNs) {
    boolean quick = nowNs - countedNs < QUICK_NS;
    countedNs = nowNs;
    return quick;
  }
}
