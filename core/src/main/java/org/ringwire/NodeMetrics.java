package org.ringwire;

import java.util.List;
import java.util.Map;

/**
 * What a node has done since it was opened.
 *
 * @param connections the connections that are open now
 * @param messagesSent messages written to a medium
 * @param messagesReceived messages and requests that arrived
 * @param messagesHandled messages whose handler returned or failed
 * @param handlerFailures handlers that threw
 * @param lateResponses responses that came after their request had ended, and were dropped
 * @param unhandled messages of a type without handler, dropped
 * @param framesRejected connections closed because a peer broke a rule of the protocol
 * @param rejections the same by the rule that was broken: its name, and how often
 * @param handshakesRefused connection attempts that were refused
 * @param connectionsLost connections that ended unexpectedly
 * @param connectionsClosed connections that this node or the peer has closed in good order
 * @param connectionEnds the two together by reason: the name of an {@link EndReason}, and how often
 * @param requestsOutstanding requests without an answer so far
 * @param nativeBytes native memory held, in bytes
 */
public record NodeMetrics(
    List<ConnectionMetrics> connections,
    long messagesSent,
    long messagesReceived,
    long messagesHandled,
    long handlerFailures,
    long lateResponses,
    long unhandled,
    long framesRejected,
    Map<String, Long> rejections,
    long handshakesRefused,
    long connectionsLost,
    long connectionsClosed,
    Map<String, Long> connectionEnds,
    long requestsOutstanding,
    long nativeBytes) {

  /** Copies the collections. */
  public NodeMetrics {
    connections = List.copyOf(connections);
    rejections = Map.copyOf(rejections);
    connectionEnds = Map.copyOf(connectionEnds);
  }

  /**
   * One connection.
   *
   * @param nodeId the peer
   * @param messagesSent messages written
   * @param bytesSent bytes of frames written
   * @param writes calls to the medium that wrote them
   * @param stalls times that a sender had to wait
   * @param pendingBytes bytes accepted and not yet written
   * @param uncreditedBytes bytes accepted and not yet processed by the peer
   * @param bytesReceived bytes of frames received
   */
  public record ConnectionMetrics(
      int nodeId,
      long messagesSent,
      long bytesSent,
      long writes,
      long stalls,
      long pendingBytes,
      long uncreditedBytes,
      long bytesReceived) {}
}
