package org.ringwire.engine;

/**
 * What went out over a link.
 *
 * @param started messages of which at least a byte was written
 * @param processed messages that the peer has credited
 * @param unsent messages accepted of which nothing was written; counted at the end only
 * @param bytes written, control included
 * @param writes drains that wrote them
 * @param stalls times that a sender had to wait
 * @param pendingBytes accepted and not written
 * @param uncreditedBytes charged and not processed
 */
record SessionTotals(
    long started,
    long processed,
    long unsent,
    long bytes,
    long writes,
    long stalls,
    long pendingBytes,
    long uncreditedBytes) {

  static final SessionTotals NONE = new SessionTotals(0, 0, 0, 0, 0, 0, 0, 0);
}
