package org.ringwire.engine.outbound.room;

import org.ringwire.SendStatus;
import org.ringwire.ring.OutboundRing;

/**
 * What a link still takes: first everything, then responses only, then nothing. Any thread; both
 * flags are volatile and only ever set, each before the ring is sealed, so that whoever finds the
 * ring sealed reads why.
 */
public final class OutboundSeal {

  private final OutboundRing ring;
  private final SpaceWaiters waiters;
  private volatile boolean ending;
  private volatile boolean closed;

  public OutboundSeal(OutboundRing ring, SpaceWaiters waiters) {
    this.ring = ring;
    this.waiters = waiters;
  }

  /** No messages and requests from now on; responses find their way beside the ring. */
  public void endMessages() {
    ending = true;
    ring.seal();
    waiters.signal();
  }

  /** Nothing from now on. */
  public void close() {
    closed = true;
    endMessages();
  }

  public boolean endsMessages() {
    return ending;
  }

  public boolean isClosed() {
    return closed;
  }

  /** Why a message was not taken. */
  public SendStatus refusal() {
    return ending ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
  }

  /** The ring's memory was freed under a sender that came too late, or else something is wrong. */
  public SendStatus closedOr(IllegalStateException e) {
    if (closed && ring.isFreed()) {
      return SendStatus.CLOSED;
    }
    throw e;
  }
}
