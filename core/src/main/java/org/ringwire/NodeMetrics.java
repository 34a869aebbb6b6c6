package org.ringwire;

import java.util.List;
import java.util.Map;
import org.ringwire.codec.Default;
import org.ringwire.codec.Message;

/**
 * What a node has done since it was opened, and how it is doing now. Counters only grow, and
 * include connections that have ended; the rest is the state of the moment. The figures are read
 * one after the other while the node goes on, so that two of them may differ by what has happened
 * in between.
 *
 * @param nodeId the node
 * @param ageNs nanoseconds since it was opened: what rates are computed with
 * @param connections the connections that are open now
 * @param messagesSent messages written to a medium
 * @param bytesSent bytes of frames written, control included
 * @param messagesReceived messages and requests that arrived; counted batch by batch, and never
 *     less than {@code messagesHandled}
 * @param bytesReceived bytes of frames received, control included
 * @param messagesHandled messages whose handler returned or failed, or waits for the end of the
 *     connection that they came by, and those that were dropped for want of one; counted batch by
 *     batch, answers may be there before
 * @param handlerFailures handlers that threw, and messages that did not decode
 * @param lateResponses responses that came after their request had ended, and were dropped
 * @param unhandled messages of a type without handler, dropped
 * @param framesRejected links that have ended because a peer broke a rule of the protocol or was
 *     not let in by TLS or a proof, or because this node failed at what a peer had sent
 * @param rejections the same by the rule that was broken: its name, and how often; {@code INTERNAL}
 *     for what this node failed at
 * @param handshakes links of peers that are in their handshake now
 * @param handshakesRefused connection attempts of peers that this node has refused; of its own that
 *     come to nothing {@code connectFailures} tells
 * @param connectAttempts links that this node has begun to open
 * @param connectFailures connections that were never open; the next send tries again
 * @param connectionsLost connections that ended unexpectedly
 * @param connectionsClosed connections that this node or the peer has closed in good order
 * @param connectionEnds the two together by reason: the name of an {@link EndReason}, and how often
 * @param messagesLost messages that were accepted, and not written when their connection ended, in
 *     whatever order it did; {@link LossReport#lost()} of all connections that have ended
 * @param messagesUncertain messages that were written, and not known to be processed when their
 *     connection ended; {@link LossReport#uncertain()} of all of them
 * @param requestsOutstanding requests without an answer so far; of {@code requestAsync} also those
 *     that wait for a connection
 * @param stalls times that a sender had to wait for room
 * @param blockedNs nanoseconds that senders have waited for room, added up, those that wait now
 *     included
 * @param handlers who handles messages, and what is slow
 * @param memory what is held and promised
 * @param nativeBytes native memory held by all nodes of the process, in bytes
 * @param transport what the transport counts, by names of its own
 */
@Message(name = "org.ringwire.NodeMetrics")
public record NodeMetrics(
    int nodeId,
    long ageNs,
    List<ConnectionMetrics> connections,
    long messagesSent,
    long bytesSent,
    long messagesReceived,
    long bytesReceived,
    long messagesHandled,
    long handlerFailures,
    long lateResponses,
    long unhandled,
    long framesRejected,
    Map<String, Long> rejections,
    int handshakes,
    long handshakesRefused,
    long connectAttempts,
    long connectFailures,
    long connectionsLost,
    long connectionsClosed,
    Map<String, Long> connectionEnds,
    long messagesLost,
    long messagesUncertain,
    long requestsOutstanding,
    long stalls,
    long blockedNs,
    HandlerMetrics handlers,
    MemoryMetrics memory,
    long nativeBytes,
    @Default("") Map<String, Long> transport) {

  /** Copies the collections. */
  public NodeMetrics {
    connections = List.copyOf(connections);
    rejections = Map.copyOf(rejections);
    connectionEnds = Map.copyOf(connectionEnds);
    transport = Map.copyOf(transport);
  }

  /**
   * One connection.
   *
   * @param nodeId the peer
   * @param transport name of the transport that carries what is sent to it
   * @param messagesSent messages written
   * @param bytesSent bytes of frames written
   * @param writes times that what had come together was written: one call to the medium each, or
   *     several if it was much
   * @param stalls times that a sender had to wait for room
   * @param blockedNs nanoseconds that senders have waited for room, added up
   * @param waitingSenders threads that wait for room now
   * @param pendingBytes bytes accepted and not yet written
   * @param ringCapacity bytes of the send ring
   * @param uncreditedBytes bytes accepted that the peer has not processed, nor lent credit for
   * @param window bytes that may be accepted and not processed: what the peer grants now
   * @param detachedBytes bytes of messages kept outside of the ring: long ones, and responses for
   *     which there was no room
   * @param messagesReceived messages and requests that arrived; counted batch by batch
   * @param bytesReceived bytes of frames received
   * @param unprocessedBytes bytes of messages received and not yet handled
   * @param receiveWindow bytes that the peer may have unprocessed here
   * @param queuedMessages messages that wait for handlers, or are in them, in all queues
   * @param longestQueue the same in the longest queue; each has one thread at a time
   */
  public record ConnectionMetrics(
      int nodeId,
      String transport,
      long messagesSent,
      long bytesSent,
      long writes,
      long stalls,
      long blockedNs,
      int waitingSenders,
      long pendingBytes,
      long ringCapacity,
      long uncreditedBytes,
      long window,
      long detachedBytes,
      long messagesReceived,
      long bytesReceived,
      long unprocessedBytes,
      long receiveWindow,
      long queuedMessages,
      long longestQueue) {

    /** How full the peer's window is, 0 to 1: at 1 senders wait for the receiver's handlers. */
    public double windowFill() {
      return fill(uncreditedBytes, window);
    }

    /** How full the ring is, 0 to 1: at 1 senders wait for the network. */
    public double ringFill() {
      return fill(pendingBytes, ringCapacity);
    }

    private static double fill(long used, long size) {
      return size <= 0 ? 0 : Math.clamp((double) used / size, 0, 1);
    }
  }

  /**
   * Who handles messages.
   *
   * @param threads threads of the handler pool
   * @param busy those of them that run something now
   * @param waiting threads that have another one in their place, most of them since they wait for
   *     other nodes inside of a handler
   * @param slow the types whose handlers took longer than the node's {@code slowHandlerTime}, the
   *     one that took longest first
   */
  public record HandlerMetrics(int threads, int busy, int waiting, List<SlowHandler> slow) {

    /** Copies the list. */
    public HandlerMetrics {
      slow = List.copyOf(slow);
    }
  }

  /**
   * A message type whose handler was slow. Times are those of a timer: a fifth of the node's {@code
   * slowHandlerTime} more or less, and shorter where the timer had no core meanwhile.
   *
   * @param messageType its name
   * @param count how often
   * @param longestNs the longest time that it took, in nanoseconds
   * @param lastNs the time that it took when it was slow last
   */
  public record SlowHandler(String messageType, long count, long longestNs, long lastNs) {}

  /**
   * Memory of this node.
   *
   * @param windowBytes bytes that peers are granted: what they may make this node hold
   * @param windowBudget bytes that those may add up to
   * @param grantedBytes bytes of long messages that peers were granted one by one
   * @param bufferBytes bytes of buffers in use, for messages that wait and long messages
   * @param idleBufferBytes bytes of buffers that are kept for later
   * @param committedBytes what all nodes of the process have committed: rings, windows, grants,
   *     long messages on their way out
   * @param limitBytes what that may add up to, system property {@code ringwire.maxNativeBytes}; the
   *     largest long if there is no limit
   */
  public record MemoryMetrics(
      long windowBytes,
      long windowBudget,
      long grantedBytes,
      long bufferBytes,
      long idleBufferBytes,
      long committedBytes,
      long limitBytes) {}
}
