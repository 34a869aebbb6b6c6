package org.ringwire.engine.outbound.detached;

import org.ringwire.ring.ReceiveBuffer;

/**
 * A frame that is kept outside of the ring because it is too long for it, or because an inline
 * handler's reply found the ring full. Encoded once, written by the holder of the consumer role,
 * then released.
 */
public final class DetachedFrame {

  public final ReceiveBuffer buffer;
  public final long occupied;
  public final boolean message;
  public long sent;
  private final LargeFrames owner;
  private boolean granted;
  private int steps; // of the release, that were begun

  public DetachedFrame(LargeFrames owner, ReceiveBuffer buffer, long occupied, boolean message) {
    this.owner = owner;
    this.buffer = buffer;
    this.occupied = occupied;
    this.message = message;
  }

  /** Its owner, before others have it: it is written by a grant, which is used up with it. */
  public void usesGrant() {
    granted = true;
  }

  /** Bytes that the window was charged for it. */
  public long chargedBytes() {
    return message && !granted ? occupied : 0;
  }

  /** In place of {@link #release}, by its owner: it goes nowhere, and its grant is not used. */
  public void giveUp() {
    granted = false;
    release();
  }

  /**
   * When nobody reads the memory any more. After one that has failed, as the stack has ended, who
   * ends the link calls it again: no step is made twice, as the memory may be another's by then.
   */
  public void release() {
    try {
      if (steps == 0) {
        steps = 1;
        buffer.release();
      }
    } finally {
      releaseRest();
    }
  }

  private void releaseRest() {
    if (steps == 1) {
      steps = 2;
      if (message) {
        owner.memory().released(occupied);
      } else {
        owner.memory().responseReleased(occupied);
      }
    }
    if (steps == 2) {
      steps = 3;
      if (granted) {
        owner.grantUsed();
      }
    }
  }
}
