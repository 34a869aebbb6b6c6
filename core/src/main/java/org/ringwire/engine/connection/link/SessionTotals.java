package org.ringwire.engine.connection.link;

import org.ringwire.engine.outbound.room.SpaceWaiters.Stalls;

/**
 * What went out over a link.
 *
 * @param started messages of which at least a byte was written
 * @param processed messages that the peer has credited
 * @param unsent messages accepted of which nothing was written; counted at the end only
 * @param bytes written, control included
 * @param writes drains that wrote them; those that found nothing are not counted
 * @param stalls how senders had to wait
 * @param pendingBytes accepted and not written
 * @param ringCapacity bytes of the ring
 * @param uncreditedBytes charged and not processed
 * @param window bytes that may be charged and not processed
 * @param detachedBytes bytes of frames kept outside of the ring
 */
public record SessionTotals(
    long started,
    long processed,
    long unsent,
    long bytes,
    long writes,
    Stalls stalls,
    long pendingBytes,
    long ringCapacity,
    long uncreditedBytes,
    long window,
    long detachedBytes) {

  /** Of a link over which no data could go. */
  public static final SessionTotals NONE =
      new SessionTotals(0, 0, 0, 0, 0, new Stalls(0, 0, 0), 0, 0, 0, 0, 0);
}
