package org.ringwire.engine.outbound;

import org.ringwire.idle.Pause;
import org.ringwire.wire.FrameLayout;

/**
 * Whether a thread that sends meets others at the same ring all the time. Confined to its thread.
 *
 * <p>Two cores that put frames into one ring are hardly faster than one: each claim waits until the
 * line of the tail comes from the other core, and so do frames for lines that the other one has
 * written. And where threads are more than cores, one of the two keeps the reader from its core. So
 * a thread that finds before {@link #MEETINGS} messages in a row that others have claimed since its
 * last one offers its core, to whoever is ready to run there. Others can be in between so often
 * only while they run on other cores: a thread that is alone never meets anybody, nor do those that
 * take turns by the time slices of the scheduler.
 *
 * <p>Nothing depends on it: no thread waits for another, and where no other is ready to run, the
 * thread goes on after a system call.
 */
final class Contention {

  /** Meetings in a row after which the thread offers its core: measured, see docs/experiments. */
  static final int MEETINGS = 8;

  private long end; // of the thread's last claim
  private int meetings; // in a row

  /** The ring is another one. */
  void forget() {
    meetings = 0;
  }

  /**
   * A message is committed, and whoever has to has written it: may take the time of a yield.
   *
   * @param position of its frame
   * @param length of its frame in bytes
   */
  void committed(SendContext context, long position, int length) {
    if (isDue(position, length) && !context.isInline()) {
      Pause.contended();
    }
  }

  /** As {@link #committed}, but only tells whether the thread is to offer its core. */
  boolean isDue(long position, int length) {
    boolean alone = position == end;
    end = position + FrameLayout.occupied(length);
    meetings = alone ? 0 : meetings + 1;
    if (meetings < MEETINGS) {
      return false;
    }
    meetings = 0;
    return true;
  }
}
