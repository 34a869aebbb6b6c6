package org.ringwire;

/**
 * What is known of the messages of a connection that has ended. Accepted = processed + lost +
 * uncertain, to the last one.
 *
 * @param nodeId the peer
 * @param reason why it ended
 * @param cause the same for people, with the facts
 * @param accepted messages accepted for that connection
 * @param processed messages that the peer is known to be done with: handled, failed in their
 *     handler or codec, or dropped for want of a handler, which its own {@link
 *     NodeMetrics#handlerFailures()} and {@link NodeMetrics#unhandled()} tell
 * @param lost messages that were never written
 * @param uncertain messages that were written and not credited: handled or not, nobody can say; or
 *     to be handled yet, maybe after what is sent over the next connection. A request of which the
 *     response has arrived is among them if the peer had not credited it yet: the response says so
 *     for that request, and counts for nothing here
 */
public record LossReport(
    int nodeId,
    EndReason reason,
    String cause,
    long accepted,
    long processed,
    long lost,
    long uncertain) {

  /** Whether the peer is known to be done with everything that was accepted. */
  public boolean isClean() {
    return lost == 0 && uncertain == 0;
  }
}
