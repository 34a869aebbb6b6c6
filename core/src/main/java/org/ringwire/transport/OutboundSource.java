package org.ringwire.transport;

/**
 * What waits to be written to a link: ranges of memory, in order. Used by the thread that is inside
 * {@link Link#write}; {@link #completed} may be called later and by another thread, one at a time,
 * by a medium that reads the memory after the write returned.
 */
public interface OutboundSource {

  /**
   * Fills the ranges with what comes next, beginning at the first byte that was not reported as
   * sent; each call starts over from there.
   *
   * @return number of bytes in the ranges, 0 if there is nothing
   */
  long next(OutboundRanges ranges);

  /** Whether somebody waits for what is offered; until the write that this was made for returns. */
  default boolean isUrgent() {
    return false;
  }

  /**
   * So many more bytes were taken, and may reach the peer from now on; they will not be offered
   * again.
   */
  void sent(long bytes);

  /** The medium will not read so many more bytes again; their memory may be reused. */
  void completed(long bytes);

  /**
   * As {@link #sent} and {@link #completed}, for a medium that has copied the bytes; by the thread
   * that is inside {@link Link#write}, while nobody else may be inside {@link #completed}. What is
   * completed is the oldest, as ever: a medium that still reads what it took before waits for that.
   */
  default void sentAndCompleted(long bytes) {
    sent(bytes);
    completed(bytes);
  }
}
