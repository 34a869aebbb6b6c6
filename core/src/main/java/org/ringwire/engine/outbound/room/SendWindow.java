package org.ringwire.engine.outbound.room;

import org.ringwire.wire.FrameLayout;

/**
 * The sender's side of flow control for one link: what the receiver has granted and processed so
 * far. Positions are 64-bit and only grow; they are written by the thread that reads the link and
 * read by every sender.
 */
public final class SendWindow {

  /**
   * A frame up to this fraction of the window always fits in what the receiver's threshold of 0.6
   * leaves free; a longer one might wait for credit that is never returned.
   */
  private static final double CREDITED_FRAME_FRACTION = 0.4;

  private volatile long granted;
  private volatile long creditedFrameLimit;
  private volatile long processedBytes;
  private volatile long processedMessages;
  private volatile long firstWindow;

  /** Takes over what the handshake granted. */
  public void open(long initialWindow) {
    granted = initialWindow;
    firstWindow = initialWindow;
    creditedFrameLimit = creditedFrameLimit(initialWindow);
  }

  /**
   * Takes over a CREDIT frame. What it says was processed counts as room for more, also outside of
   * the ring; so it is not believed of what the peer cannot have.
   *
   * @param sentBytes charged bytes accepted so far, without those outside of the ring that were
   *     never offered to the link: at least what a receiver can have processed
   * @return false if the positions make no sense: they shrink, or are ahead of what was sent
   */
  public boolean credit(long bytes, long messages, long newGrant, long sentBytes) {
    if (bytes < processedBytes
        || messages < processedMessages
        || newGrant < granted
        || newGrant < bytes
        || newGrant - bytes > Integer.MAX_VALUE
        || bytes > sentBytes) {
      return false;
    }
    processedBytes = bytes;
    processedMessages = messages;
    creditedFrameLimit = creditedFrameLimit(newGrant - bytes);
    granted = newGrant;
    if (firstWindow == 0) {
      firstWindow = newGrant - bytes;
    }
    return true;
  }

  public long granted() {
    return granted;
  }

  /**
   * Bytes that an idle sender can give up and keep a window like the first one; a multiple of 8.
   *
   * @param sentBytes charged bytes accepted so far
   */
  public long surplus(long sentBytes) {
    return Math.max(0, granted - sentBytes - firstWindow) & -FrameLayout.ALIGNMENT;
  }

  /** Longest frame, in occupied bytes, that needs no grant of its own. */
  public long creditedFrameLimit() {
    return creditedFrameLimit;
  }

  public long processedBytes() {
    return processedBytes;
  }

  public long processedMessages() {
    return processedMessages;
  }

  private static long creditedFrameLimit(long window) {
    return (long) (window * CREDITED_FRAME_FRACTION);
  }
}
