package org.ringwire.engine.outbound.room;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Tells those who wait for room of what the writes of one link have made. Any thread: two that
 * write one after the other may tell of the same room, which costs a try in vain.
 */
public final class RoomSignal {

  private static final VarHandle SIGNALLED_AT;

  static {
    try {
      SIGNALLED_AT =
          MethodHandles.lookup().findVarHandle(RoomSignal.class, "signalledAt", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SpaceWaiters waiters;

  /** Bytes that were completed when those who wait for room were told last; a hint. */
  private volatile long signalledAt;

  public RoomSignal(SpaceWaiters waiters) {
    this.waiters = waiters;
  }

  /** The medium may have completed bytes: so many are it in all. */
  public void completed(long bytesCompleted) {
    if (bytesCompleted != signalledAt) {
      SIGNALLED_AT.setOpaque(this, bytesCompleted);
      waiters.signal();
    }
  }

  /**
   * Something was written, by who has passed a full fence since then.
   *
   * @param moved whether bytes were sent or completed by it
   * @param bytesCompleted so many are it in all
   */
  public void written(boolean moved, long bytesCompleted) {
    if (moved) {
      SIGNALLED_AT.setOpaque(this, bytesCompleted);
      waiters.signalAfterFence();
    } else if (waiters.hasNotices()) { // skipping makes room too
      waiters.noticeAfterFence();
    }
  }
}
