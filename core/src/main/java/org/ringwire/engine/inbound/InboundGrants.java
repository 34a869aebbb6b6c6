package org.ringwire.engine.inbound;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * The receiver's side of frames that are too long for the window: grants what peers announce, and
 * checks that what they send was granted. Any thread; guarded by itself, used per large frame only.
 */
public final class InboundGrants {

  private static final int MOST_OPEN = 1024;

  private final GrantBudget budget;
  private final long longestFrame;
  private final LongConsumer sendGrant;
  private final Map<Long, Long> granted = new HashMap<>();
  private int open;
  private boolean closed;

  public InboundGrants(GrantBudget budget, long longestFrame, LongConsumer sendGrant) {
    this.budget = budget;
    this.longestFrame = longestFrame;
    this.sendGrant = sendGrant;
  }

  /** The peer announces a frame, or with length 0 gives a grant back. */
  public void announced(long token, long length) {
    if (length == 0) {
      giveBack(token);
      return;
    }
    if (length < 0 || length > longestFrame) {
      throw new ProtocolException(
          Reason.FRAME_LENGTH,
          "announced frame is too long: length=" + length + " limit=" + longestFrame);
    }
    synchronized (this) {
      if (++open > MOST_OPEN) {
        throw new ProtocolException(
            Reason.FRAME_UNEXPECTED, "too many frames announced: limit=" + MOST_OPEN);
      }
    }
    budget.request(this, token, length);
  }

  private void giveBack(long token) {
    Long length;
    synchronized (this) {
      length = granted.remove(token);
      if (length == null) {
        throw new ProtocolException(
            Reason.FRAME_UNEXPECTED, "a grant given back that was not open: token=" + token);
      }
      open--;
    }
    budget.release(length);
  }

  /** By the budget. */
  public void grant(long token, long length) {
    boolean refused;
    synchronized (this) {
      refused = closed;
      if (!refused) {
        granted.put(token, length);
      }
    }
    if (refused) {
      budget.release(length);
    } else {
      sendGrant.accept(token);
    }
  }

  /** A frame that says it was granted has arrived; one grant of its length is used up. */
  public synchronized void use(long occupied) {
    for (Map.Entry<Long, Long> entry : granted.entrySet()) {
      if (entry.getValue() == occupied) {
        granted.remove(entry.getKey());
        open--;
        return;
      }
    }
    throw new ProtocolException(
        Reason.WINDOW, "a frame that was not granted: occupiedLength=" + occupied);
  }

  /** A granted frame was processed. */
  public void processed(long occupied) {
    budget.release(occupied);
  }

  /** The link has ended: what was granted and not used goes back. */
  public void close() {
    long unused = 0;
    synchronized (this) {
      closed = true;
      for (long length : granted.values()) {
        unused += length;
      }
      granted.clear();
    }
    budget.forget(this);
    budget.release(unused);
  }
}
