package org.ringwire.engine;

/**
 * The sender's side of flow control for one link: what the receiver has granted and processed so
 * far. Positions are 64-bit and only grow; they are written by the thread that reads the link and
 * read by every sender.
 */
final class SendWindow {

  private volatile long granted;
  private volatile long creditedFrameLimit;
  private volatile long processedBytes;
  private volatile long processedMessages;

  /** Takes over what the handshake granted. */
  void open(long initialWindow) {
    granted = initialWindow;
    creditedFrameLimit = ReceiveWindow.creditedFrameLimit(initialWindow);
  }

  /**
   * Takes over a CREDIT frame.
   *
   * @param sentBytes charged bytes accepted so far, which no receiver can have processed more of
   * @return false if the positions make no sense: they shrink, or are ahead of what was sent
   */
  boolean credit(long bytes, long messages, long newGrant, long sentBytes) {
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
    creditedFrameLimit = ReceiveWindow.creditedFrameLimit(newGrant - bytes);
    granted = newGrant;
    return true;
  }

  long granted() {
    return granted;
  }

  /** Longest frame, in occupied bytes, that needs no grant of its own. */
  long creditedFrameLimit() {
    return creditedFrameLimit;
  }

  long processedBytes() {
    return processedBytes;
  }

  long processedMessages() {
    return processedMessages;
  }
}
